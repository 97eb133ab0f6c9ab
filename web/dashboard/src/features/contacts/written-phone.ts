/**
 * Reads a phone as people write and paste it: `+49 (151) 234-567.89`, `0049...` or `+49 (0)151...`, also in full width
 * or in Arabic or Indian digits. Removes the punctuation and the invisible direction marks that address books add; the
 * result may still be no phone.
 * The service has the same function: `src/platform/values/phones/written-phone.ts`.
 */
export function readWrittenPhone(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
      .replace(/[०-९০-৯]/g, (digit) => String((digit.charCodeAt(0) & 0xf) - 6))
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // The prefix that is only dialled inside the country.
      .replace(/^(\s*(?:\+|00)[\d\s.\-/\u2010-\u2015]+)\(\s*0\s*\)/, '$1')
      // An extension or a second line, such as `/21`, or decimals. The `x` makes the result no phone.
      .replace(/^((?:[^\d/]*\d){8}[^/]*)\/(?=\s*\d\d?\s*$)|^(\s*\+?\d{8,})\.(?=\d\d?\s*$)/, '$1$2x')
      .replace(/[\s().\-/\u2010-\u2015]/g, '')
      .replace(/^00(?=[1-9])/, '+')
  );
}
