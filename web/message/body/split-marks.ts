export type MarkedText = { text: string; mark?: Mark | 'link' };
type Mark = '*' | '_' | '~' | '```';

/**
 * Splits a text at WhatsApp's marks (*bold*, _italic_, ~struck~ and ```code```) and at links. As on a phone, a
 * mark stands at the edge of a word and closes on its own line, so that `5*4 and 3*2` keeps its stars. Takes
 * linear time for any text.
 *
 * @returns the pieces, without their marks
 */
export function splitMarks(text: string): MarkedText[] {
  const pieces: MarkedText[] = [];
  const findClosing = createClosingFinder(text);
  const candidates = /```|[*_~]|https?:\/\//g;
  let plainFrom = 0;

  function add(from: number, end: number, piece: MarkedText): void {
    if (from > plainFrom) pieces.push({ text: text.slice(plainFrom, from) });
    pieces.push(piece);
    plainFrom = end;
    candidates.lastIndex = end;
  }

  for (let found = candidates.exec(text); found; found = candidates.exec(text)) {
    const { 0: start, index: from } = found;
    if (start.startsWith('http')) {
      const link = linkAt(text, from);
      if (link.length > start.length) add(from, from + link.length, { text: link, mark: 'link' });
      continue;
    }
    const mark = start as Mark;
    const closing = findClosing(mark, from);
    if (closing >= 0) {
      const inner = text.slice(from + mark.length, closing);
      add(from, closing + mark.length, { text: inner, mark });
    } else {
      candidates.lastIndex = from + 1;
    }
  }
  if (plainFrom < text.length) pieces.push({ text: text.slice(plainFrom) });
  return pieces;
}

/** Returns the text without its marks, for a place that shows it in one line. */
export function withoutMarks(text: string): string {
  return splitMarks(text)
    .map((piece) => piece.text)
    .join('');
}

/** Finds the closing mark for an opening one. Remembers failed searches, so that none is repeated. */
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

/** Reads the link that begins here, without the punctuation of the sentence after it. */
function linkAt(text: string, from: number): string {
  const links = /[^\s<>"']*/y;
  links.lastIndex = from;
  const [link = ''] = links.exec(text) ?? [];
  let end = link.length;
  while (end > 0 && '.,;:!?)'.includes(link[end - 1]!)) end--;
  return link.slice(0, end);
}
