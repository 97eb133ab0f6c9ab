import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvRecord, createCsvReader } from './read-csv.ts';

function read(...chunks: string[]): CsvRecord[] {
  const reader = createCsvReader();
  return [...chunks.flatMap((chunk) => [...reader.read(chunk)]), ...reader.end()];
}

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', ' ', '\n', '\r\n', "'") });

test('rows are the same as in another parser, however the text is split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom(',', ';', '\t'),
      fc.integer({ min: 1, max: 9 }),
      (rows, lineEnd, delimiter, size) => {
        const heading = Array(9).fill('x').join(delimiter);
        const written = rows.map((cells) =>
          cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(delimiter),
        );
        const text = `\ufeff${[heading, ...written].join(lineEnd)}${lineEnd}`;
        const found = read(...text.match(new RegExp(`.{1,${size}}`, 'gs'))!);
        const options = { bom: true, delimiter, relax_column_count: true };
        // The kind of line breaks in a cell does not matter.
        const expected = parse(text, options).map((cells) =>
          cells.map((each) => each.replace(/\r\n?/g, '\n')),
        );
        expect(found.map(({ cells }) => cells)).toEqual(expected);
        expect(found.filter(({ problem }) => problem)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

test('rows have their line numbers, empty lines are skipped, and a quote inside a cell is text', () => {
  const text = 'a;b\n\n"x\r\ny";5" pipe\r\n"Bob" Lee;"a ""b"" c"\n;\n';
  expect(read(text)).toEqual([
    { line: 1, lastLine: 1, cells: ['a', 'b'] },
    { line: 3, lastLine: 4, cells: ['x\ny', '5" pipe'] },
    { line: 5, lastLine: 5, cells: ['"Bob" Lee', 'a "b" c'] },
    { line: 6, lastLine: 6, cells: ['', ''] },
  ]);
});

test.each([
  ['\ufeffsep=;\r\na;b,c\r\n', ['a', 'b,c']],
  ['"SEP=|"\na|b,c\n', ['a', 'b,c']],
  ['sep=\t\na\tb,c\n', ['a', 'b,c']],
])('a line before the headings may name the separator: %j', (text, cells) => {
  expect(read(text)).toEqual([{ line: 2, lastLine: 2, cells }]);
});

const problem = expect.objectContaining({ text: 'row opens a quote that is never closed' });

test.each([
  ['the end of the file', '"a,b\nc,d\n'],
  ['a quote that begins another cell', '"a,b\nc,d\n"e",f\n'],
  ['a million characters', `"a,b\nc,d\n${`${'g'.repeat(60_000)}\n`.repeat(20)}"\n`],
  ['a thousand lines', `"a,b\nc,d\n${'g,h\n'.repeat(1_000)}"\n`],
])('a quote that is open up to %s refuses only its own row', (_, text) => {
  const [heading, broken, next] = read(`x,y\n${text}`);
  expect(heading!.cells).toEqual(['x', 'y']);
  expect(broken).toEqual({ line: 2, lastLine: 2, cells: ['"a', 'b'], problem });
  expect(next).toEqual({ line: 3, lastLine: 3, cells: ['c', 'd'] });
});

test('a line that is far too long is refused', () => {
  const found = read('x,y\n', ...Array(40).fill('z'.repeat(65_536)), '\nc,d');
  expect(found.slice(1)).toEqual([
    {
      line: 2,
      lastLine: 2,
      cells: [],
      problem: expect.objectContaining({ text: 'row is longer than 1,000,000 characters' }),
    },
    { line: 3, lastLine: 3, cells: ['c', 'd'] },
  ]);
});

test('a row of too many cells is refused', () => {
  const [, wide, next] = read(`x,y\n${','.repeat(16_384)}\nc,d\n`);
  expect(wide).toEqual({
    line: 2,
    lastLine: 2,
    cells: [],
    problem: expect.objectContaining({ text: 'row has more than 16,384 cells' }),
  });
  expect(next!.cells).toEqual(['c', 'd']);
});

/** Counts the steps for a file that repeats a unit up to a length, and returns its length too. */
function stepsOf(unit: string, length: number, chunkLength = 997) {
  const text = `x,y\n${unit.repeat(Math.ceil(length / unit.length))}`;
  const reader = createCsvReader();
  for (let at = 0; at < text.length; at += chunkLength) {
    for (const _ of reader.read(text.slice(at, at + chunkLength)));
  }
  for (const _ of reader.end());
  return { steps: reader.steps(), length: text.length };
}

const fragment = fc.constantFrom(
  ...['"', '""', '"""', 'a', ',', 'a",""",', '"a,b', '\n', '\r\n', 'ab,cd\n', ';'],
);
const hostileUnit = fc.array(fragment, { minLength: 1, maxLength: 8 }).map((each) => each.join(''));

test('the steps per character are the same in a file of eight times the size, whatever its content', () => {
  fc.assert(
    fc.property(hostileUnit, (unit) => {
      const [small, large] = [stepsOf(unit, 2_000), stepsOf(unit, 16_000)];
      const perCharacter = small.steps / small.length;
      // An open quote at the end makes a small difference; the size makes none.
      expect(large.steps / large.length).toBeLessThan(2 * perCharacter);
      expect(perCharacter).toBeLessThan(6);
    }),
    { numRuns: 500, examples: [['a",""",\n'], ['"a\n'], ['"\n'], ['"\n"\n'], ['\n']] },
  );
});

test.each([
  ['lines', 'a",""",\n'],
  ['short cells', '"a\n'],
  ['long cells', `"${'x'.repeat(2_000)}\n`],
  ['very long cells', `"${'x'.repeat(70_000)}\n`],
])('open quotes in %s beyond the limits of a row take no more steps', (_, unit) => {
  const { steps, length } = stepsOf(unit, 2_500_000, 65_536);
  expect(steps / length).toBeLessThan(6);
});
