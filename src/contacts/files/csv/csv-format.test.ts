import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCell, writeCell } from './csv-format.ts';

const text = fc
  .string({ unit: fc.constantFrom(...'=+-@＝\'";,| \t\r\nx1\\') })
  .map((each) => each.trim());

test('a cell is read as it was written', () => {
  fc.assert(
    fc.property(text, (value) => {
      const [cells] = parse(`1,${writeCell(value)},2`);
      expect(readCell(cells![1]!)).toBe(value);
    }),
  );
});

test('no cell begins a formula, whichever separator the spreadsheet uses', () => {
  fc.assert(
    fc.property(text, (value) => {
      const line = `1,${writeCell(value)},2`;
      const [cells] = parse(line);
      for (const piece of [...cells!, ...line.split(/[;\t\r\n]/)]) {
        expect(piece).not.toMatch(/^"*[=+\-@＝]/);
      }
    }),
  );
});

test.each([
  ['x;=1+1;y', `"x;'=1+1;y"`],
  ['x;"=1+1', `"x;'""=1+1"`],
  ["'=1", "''=1"],
  ['a-b; c', '"a-b; c"'],
  [' x', '" x"'],
  ['x ', '"x "'],
])('%s is written as %s', (value, written) => {
  expect(writeCell(value)).toBe(written);
});
