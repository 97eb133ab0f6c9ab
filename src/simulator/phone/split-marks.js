/**
 * Splits a text at the network's marks: *bold*, _italic_, ~struck~ and ```monospace```, and at links.
 * A mark stands at the edge of a word and closes on its own line, so that `5*4 and 3*2` keeps its
 * stars. Takes linear time for any text.
 * @param {string} text
 * @returns {{ text: string, mark?: '*' | '_' | '~' | '```' | 'link' }[]} the pieces, without their marks
 */
export function splitMarks(text) {
  const pieces = [];
  const findClosing = createClosingFinder(text);
  const candidates = /```|[*_~]|https?:\/\//g;
  let plainFrom = 0;

  function add(from, end, piece) {
    if (from > plainFrom) pieces.push({ text: text.slice(plainFrom, from) });
    pieces.push(piece);
    plainFrom = end;
    candidates.lastIndex = end;
  }

  for (let found = candidates.exec(text); found; found = candidates.exec(text)) {
    const { 0: mark, index: from } = found;
    if (mark.startsWith('http')) {
      const link = linkAt(text, from);
      if (link.length > mark.length) add(from, from + link.length, { text: link, mark: 'link' });
      continue;
    }
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

/** Finds the closing mark for an opening one. Remembers failed searches, so that none is repeated. */
function createClosingFinder(text) {
  const absentUntil = { '*': 0, _: 0, '~': 0, '```': 0 };
  let lineEnd = -1;

  return (mark, from) => {
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

function canOpen(text, at) {
  const before = text.slice(Math.max(0, at - 2), at);
  return /^\S/.test(text.slice(at + 1, at + 2)) && !/[\p{L}\p{N}]$/u.test(before);
}

function canClose(text, at) {
  return /\S/.test(text[at - 1]) && !/^[\p{L}\p{N}]/u.test(text.slice(at + 1, at + 3));
}

/** Reads the link that begins here, without the punctuation of the sentence after it. */
function linkAt(text, from) {
  const links = /[^\s<>"']*/y;
  links.lastIndex = from;
  const [link] = links.exec(text);
  let end = link.length;
  while (end > 0 && '.,;:!?)'.includes(link[end - 1])) end--;
  return link.slice(0, end);
}
