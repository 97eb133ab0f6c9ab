/** Explains why PostgreSQL cannot store a text; undefined if it can. */
export function unstorableFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not have the character NUL (U+0000)';
  if (!text.isWellFormed()) return 'must be valid Unicode; it has half of a surrogate pair';
  return undefined;
}
