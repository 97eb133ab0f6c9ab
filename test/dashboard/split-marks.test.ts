import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitMarks } from '../../web/message/body/split-marks.ts';

/** The marks as one expression: too slow for long texts, but easy to read. */
const marks =
  '```([\\s\\S]+?)```|(?<![\\p{L}\\p{N}])([*_~])(?=\\S)([^\\n]*?\\S)\\2(?![\\p{L}\\p{N}])';
const link = '(https?:\\/\\/[^\\s<>"\']*[^\\s<>"\'.,;:!?)])';

function splitSlowly(text: string) {
  const pieces: { text: string; mark?: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(`${marks}|${link}`, 'gu'))) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    const [all, code, mark, marked, address] = match;
    if (code !== undefined) pieces.push({ text: code, mark: '```' });
    else if (marked !== undefined) pieces.push({ text: marked, mark: mark! });
    else pieces.push({ text: address!, mark: 'link' });
    end = match.index + all.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

const unit = fc.constantFrom(...'*_~`a9 \n.é!', '```', '💡', 'https://', 'a.b/');
const texts = fc.array(unit, { maxLength: 25 }).map((each) => each.join(''));

test('a text is split at its marks and links', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(splitMarks(text)).toEqual(splitSlowly(text));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['*a '.repeat(60_000)],
  ['*_~a '.repeat(50_000)],
  ['*'.repeat(200_000)],
  ['`'.repeat(200_000)],
  ['```*\n'.repeat(40_000)],
  [`*a${' '.repeat(200_000)}`],
  ['https://'.repeat(20_000)],
])('hundreds of thousands of characters of marks are split quickly: %.12j', (text) => {
  const wholeOf = (pieces: { text: string }[]) =>
    pieces.reduce((length, piece) => length + piece.text.length, 0);
  expect(wholeOf(splitMarks(text))).toBeGreaterThan(0);
});
