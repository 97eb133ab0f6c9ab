/**
 * Cuts a text to a length in UTF-16 units, with an ellipsis as its last character. It never ends within a surrogate
 * pair.
 */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
