export type MarkedText = { text: string; mark?: Mark };
type Mark = '*' | '_' | '~' | '```';

/**
 * Splits a text at the marks of WhatsApp: *bold*, _italic_, ~struck~, ```code```. As on a phone, a
 * mark stands at the edge of a word and closes on its own line, so that `5*4 and 3*2` keeps its stars.
 * Time is linear in the length of the text, whatever it holds.
 *
 * @returns the pieces, without their marks
 */
export function splitMarks(text: string): MarkedText[] {
  const pieces: MarkedText[] = [];
  const findClosing = createClosingFinder(text);
  const candidates = /```|[*_~]/g;
  let plainFrom = 0;
  for (let found = candidates.exec(text); found; found = candidates.exec(text)) {
    const { 0: all, index: from } = found;
    const mark = all as Mark;
    const closing = findClosing(mark, from);
    if (closing < 0) {
      candidates.lastIndex = from + 1;
      continue;
    }
    if (from > plainFrom) pieces.push({ text: text.slice(plainFrom, from) });
    pieces.push({ text: text.slice(from + mark.length, closing), mark });
    plainFrom = closing + mark.length;
    candidates.lastIndex = plainFrom;
  }
  if (plainFrom < text.length) pieces.push({ text: text.slice(plainFrom) });
  return pieces;
}

/** Finds the closing mark for an opening one. What was looked for in vain is not looked for again. */
function createClosingFinder(text: string) {
  const absentUntil: Record<Mark, number> = { '*': 0, _: 0, '~': 0, '```': 0 };
  let lineEnd = -1;

  return (mark: Mark, from: number): number => {
    if (from < absentUntil[mark]) return -1;
    if (mark === '```') {
      const end = text.indexOf(mark, from + mark.length + 1);
      if (end < 0) absentUntil[mark] = text.length;
      return end;
    }
    if (!canOpen(text, from)) return -1;
    if (lineEnd < from) {
      const found = text.indexOf('\n', from);
      lineEnd = found < 0 ? text.length : found;
    }
    let end = text.indexOf(mark, from + 2);
    while (end >= 0 && end < lineEnd && !canClose(text, end)) end = text.indexOf(mark, end + 1);
    if (end >= 0 && end < lineEnd) return end;
    absentUntil[mark] = lineEnd;
    return -1;
  };
}

function canOpen(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  return /^\S/.test(text.slice(at + 1, at + 2)) && !/[\p{L}\p{N}]$/u.test(before);
}

function canClose(text: string, at: number): boolean {
  return /\S/.test(text[at - 1]!) && !/^[\p{L}\p{N}]/u.test(text.slice(at + 1, at + 3));
}
