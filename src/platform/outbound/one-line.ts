const maxCharacters = 200;

/** Makes text of a library or a remote host safe for one line: no control characters, limited length. */
export function onOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed();
}
