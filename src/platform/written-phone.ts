/**
 * A phone as people write and paste it, `+49 (151) 234-567.89`, `0049...` or `+49 (0)151...`, without its
 * ornaments: what is left may be a phone. Copied from an address book it comes between marks of direction,
 * which nobody sees. In a file of its own, for the dashboard takes it into its bundle.
 */
export function readWrittenPhone(text: string): string {
  return (
    text
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // What is dialled only within the country.
      .replace(/^(\s*(?:\+|00)[\d\s.\-/\u2010-\u2015]+)\(\s*0\s*\)/, '$1')
      .replace(/[\s().\-/\u2010-\u2015]/g, '')
      .replace(/^00(?=[1-9])/, '+')
  );
}
