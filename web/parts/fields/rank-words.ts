/**
 * Ranks words for what a person typed, without regard to accents and case.
 *
 * @returns 1 if they begin with it, less if every word of it is somewhere in them, 0 if not
 */
export function rankWords(words: string, typed: string): number {
  const text = fold(words);
  const wanted = fold(typed).trim();
  if (text.startsWith(wanted)) return 1;
  return wanted.split(/\s+/).every((each) => text.includes(each)) ? 0.5 : 0;
}

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
