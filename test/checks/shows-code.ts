/**
 * Whether a text shows a code of six digits. Digits that can match by chance are ignored: times with their
 * fractions, ids, hashes and other hexadecimal bytes, ids of the network, and longer numbers.
 */
export function showsCode(text: string, code: string): boolean {
  const chance = /\d\d:\d\d:\d\d(\.\d+)?|[0-9a-f-]{32,}|wamid\.[\w+/=]+/g;
  return new RegExp(`(?<!\\d)${code}(?!\\d)`).test(text.replaceAll(chance, ''));
}
