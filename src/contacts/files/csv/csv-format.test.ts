import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCell, readId, readPhone, writeCell } from './csv-format.ts';

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

test.each([
  ['whatsapp:+4915180000020', '+4915180000020'],
  ['tel:+49-151-8000 0020', '+4915180000020'],
  ['p:+4915180000020', '+4915180000020'],
  ['4915180000020@c.us', '+4915180000020'],
  ['4915180000020@s.whatsapp.net', '+4915180000020'],
  // Baileys adds the number of the device.
  ['4915180000020:12@s.whatsapp.net', '+4915180000020'],
  ["'0049 151 80000020", '+4915180000020'],
  // A group, a hidden phone and a phone of the country have no phone in them.
  ['4915180000020-1600000000@g.us', '49151800000201600000000@gus'],
  ['4915180000020@lid', '4915180000020@lid'],
  ['tel:015180000020', 'tel:015180000020'],
  ['4915180000020', '4915180000020'],
])('the phone %s is read as %s', (cell, phone) => {
  expect(readPhone(cell)).toBe(phone);
});

test.each([
  ["'7210448301122", '7210448301122'],
  ["'=1", '=1'],
  ["'68 Comeback", "'68 Comeback"],
  ["'crm-1", "'crm-1"],
])('the id %s is read as %s', (cell, id) => {
  expect(readId(cell)).toBe(id);
});
