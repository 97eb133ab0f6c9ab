/** Replaces the digits of Arabic, Persian and Urdu, Hindi and Bengali keyboards with ASCII digits. */
export function asciiDigits(text: string): string {
  return text
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[०-९০-৯]/g, (digit) => String((digit.charCodeAt(0) & 0xf) - 6));
}
