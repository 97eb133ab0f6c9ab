const maxCharacters = 200;

/** Text of a library or of the other side, without control characters and not too long. */
export function onOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed();
}
