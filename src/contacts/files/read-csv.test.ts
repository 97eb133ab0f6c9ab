import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvRecord, readCsv } from './read-csv.ts';

async function read(...chunks: string[]): Promise<CsvRecord[]> {
  async function* inTurn() {
    yield* chunks;
  }
  const records: CsvRecord[] = [];
  for await (const record of readCsv(inTurn())) records.push(record);
  return records;
}

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', ' ', '\n', '\r\n', "'") });

test('rows are what another program reads, however the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom(',', ';', '\t'),
      fc.integer({ min: 1, max: 9 }),
      async (rows, lineEnd, delimiter, size) => {
        const heading = Array(9).fill('x').join(delimiter);
        const written = rows.map((cells) =>
          cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(delimiter),
        );
        const text = `\ufeff${[heading, ...written].join(lineEnd)}${lineEnd}`;
        const found = await read(...text.match(new RegExp(`.{1,${size}}`, 'gs'))!);
        const options = { bom: true, delimiter, relax_column_count: true };
        // Which kind of line break a cell holds is nothing to us.
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

test('rows know their lines; empty ones are none; a quote inside a cell is text', async () => {
  const text = 'a;b\n\n"x\r\ny";5" pipe\r\n"Bob" Lee;"a ""b"" c"\n;\n';
  expect(await read(text)).toEqual([
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
])('a line before the first may say what separates: %j', async (text, cells) => {
  expect(await read(text)).toEqual([{ line: 2, lastLine: 2, cells }]);
});

const problem = 'row opens a quote that is never closed';

test.each([
  ['the end of the file', '"a,b\nc,d\n'],
  ['a quote that begins another cell', '"a,b\nc,d\n"e",f\n'],
  ['a million characters', `"a,b\nc,d\n${`${'g'.repeat(60_000)}\n`.repeat(20)}"\n`],
  ['a thousand lines', `"a,b\nc,d\n${'g,h\n'.repeat(1_000)}"\n`],
])('a quote that is open up to %s takes only its own row', async (_, text) => {
  const [heading, broken, next] = await read(`x,y\n${text}`);
  expect(heading!.cells).toEqual(['x', 'y']);
  expect(broken).toEqual({ line: 2, lastLine: 2, cells: ['"a', 'b'], problem });
  expect(next).toEqual({ line: 3, lastLine: 3, cells: ['c', 'd'] });
});

test('a line that is far too long is passed over', async () => {
  const found = await read('x,y\n', ...Array(40).fill('z'.repeat(65_536)), '\nc,d');
  expect(found.slice(1)).toEqual([
    { line: 2, lastLine: 2, cells: [], problem: 'row is longer than 1,000,000 characters' },
    { line: 3, lastLine: 3, cells: ['c', 'd'] },
  ]);
});
