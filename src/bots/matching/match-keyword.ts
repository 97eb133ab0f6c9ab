import type { MatchKind } from '../schema.ts';

/**
 * Scripts without spaces between words, and Korean, which attaches particles to words. In these, a keyword matches
 * anywhere.
 */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}ー]/u;
const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;

/** A text, and for each index the next one at which one word can end and another begin. */
export type Words = { text: string; nextEdge: number[] };

/**
 * Finds the word boundaries of a text once. To find them again for each of ten thousand keywords would block the
 * process for seconds.
 *
 * @param text normalized by `foldText`
 */
export function wordsOf(text: string): Words {
  const nextEdge = new Array<number>(text.length + 1);
  for (let at = text.length, next = at; at >= 0; at--) {
    if (isEdge(text, at)) next = at;
    nextEdge[at] = next;
  }
  return { text, nextEdge };
}

/**
 * Returns whether a text matches a keyword. A keyword never begins or ends inside a word: `cat` is not in
 * `concatenate`.
 *
 * @param keyword normalized by `foldText`
 */
export function matchesKeyword(match: MatchKind, words: Words, keyword: string): boolean {
  const { text, nextEdge } = words;
  if (keyword === '') return false;
  switch (match) {
    case 'exact':
      return text === keyword;
    case 'starts_with':
      return text.startsWith(keyword) && nextEdge[keyword.length] === keyword.length;
    case 'contains':
      return containsWord(words, keyword);
    default:
      return false;
  }
}

function containsWord({ text, nextEdge }: Words, keyword: string): boolean {
  for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, nextEdge[at + 1])) {
    const end = at + keyword.length;
    if (nextEdge[at] === at && nextEdge[end] === end) return true;
  }
  return false;
}

/** Returns whether one word can end and another begin at this index of a text. */
function isEdge(text: string, at: number): boolean {
  const after = text.codePointAt(at);
  if (at === 0 || after === undefined) return true;
  const next = String.fromCodePoint(after);
  // A mark belongs to the character before it, in every script.
  if (/\p{M}/u.test(next)) return false;
  const previous = lastCharacter(text.slice(Math.max(0, at - 8), at));
  if (!wordCharacter.test(previous) || !wordCharacter.test(next)) return true;
  return unspaced.test(previous) || unspaced.test(next);
}

/** Returns the last character of a short text, with its combining marks. */
function lastCharacter(text: string): string {
  return /\P{M}?\p{M}{0,8}$/u.exec(text)?.[0] ?? '';
}
