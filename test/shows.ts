/**
 * Whether a text shows a code of six digits. What can hold the same digits by chance does not count:
 * times of day with their fractions, ids, hashes and other bytes in hexadecimal digits, ids of the
 * network, and longer numbers.
 */
export function shows(text: string, code: string): boolean {
  const chance = /\d\d:\d\d:\d\d(\.\d+)?|[0-9a-f-]{32,}|wamid\.[\w+/=]+/g;
  return new RegExp(`(?<!\\d)${code}(?!\\d)`).test(text.replaceAll(chance, ''));
}
