import { expect, test } from 'vitest';
import { readPayload } from '../platforms/read-payload.ts';
import type { FieldSource } from '../schema.ts';
import { fillFields } from './fill-fields.ts';

const payload = readPayload(
  Buffer.from(
    JSON.stringify({
      currency: 'USD',
      total_price: '1234.5',
      total_price_set: {
        shop_money: { amount: '1234.50', currency_code: 'USD' },
        presentment_money: { amount: '1150.00', currency_code: 'EUR' },
      },
      refunds: [{ transactions: [{ amount: '4500', currency: 'JPY' }] }],
      line_items: [{ price: '1.250' }],
      points: { amount: '7', currency: 'points' },
      created_at: '2026-11-02T23:15:07-05:00',
      note: '2026-11-02nd',
    }),
  ),
)!;

test.each([
  ['total_price', 'en_US', '$1,234.50'],
  ['total_price_set.shop_money.amount', 'en_US', '$1,234.50'],
  ['total_price_set.presentment_money.amount', 'en_US', '€1,150.00'],
  ['total_price_set.presentment_money.amount', 'de', '1.150,00 €'],
  ['refunds.0.transactions.0.amount', 'en', '¥4,500'],
  ['total_price_set.presentment_money.amount', 'pt_BR', '€ 1.150,00'],
  ['line_items.0.price', 'en', '$1.25'],
  ['points.amount', 'en', '7.00'],
])(
  'the money of %s has the currency beside it, otherwise that of the payload',
  (path, language, shown) => {
    const { fields } = fillFields(payload, [{ path, format: 'money' }], language);
    expect(fields.get(1)).toBe(shown);
  },
);

test.each([
  ['created_at', 'en_US', 'Nov 2, 2026'],
  ['created_at', 'bg', '2.11.2026 г.'],
  ['note', 'en', '2026-11-02nd'],
])('the date of %s in %s is the day as it was written', (path, language, shown) => {
  const { fields } = fillFields(payload, [{ path, format: 'date' }], language);
  expect(fields.get(1)).toBe(shown);
});

const parcels = readPayload(
  Buffer.from(
    JSON.stringify({
      last: 'a name',
      currency: 'EUR',
      line_items: [
        { name: 'Tea', price: '4.50', taxes: [{ title: 'VAT' }, { title: 'City' }] },
        { name: 'Pot', price: '30.00', currency: 'USD', taxes: [] },
        { name: 'Tea', price: '2.00', taxes: [{ title: 'VAT' }] },
        { price: null },
      ],
      fulfillments: [{ tracking_number: 'X1' }, { tracking_number: 'Y2' }],
      empty: [],
      tags: Array.from({ length: 200 }, (_, index) => `tag ${index}`),
      long: ['x'.repeat(500), 'short'],
    }),
  ),
)!;

test.each<[FieldSource, string | undefined]>([
  [{ path: 'fulfillments.last.tracking_number' }, 'Y2'],
  [{ path: 'fulfillments.*.tracking_number' }, 'X1, Y2'],
  [{ path: 'line_items.*.name' }, 'Tea, Pot'],
  [{ path: 'line_items.*.price', format: 'money' }, '€4.50, $30.00, €2.00'],
  [{ path: 'line_items.*.taxes.*.title' }, 'VAT, City'],
  [{ path: 'line_items.*.taxes.last.title' }, 'City, VAT'],
  [{ path: 'line_items.last.name' }, undefined],
  [{ path: 'empty.last' }, undefined],
  [{ path: 'empty.*.name' }, undefined],
  [{ path: 'last' }, 'a name'],
  [{ path: '*' }, undefined],
  [{ path: 'long.*' }, `${'x'.repeat(500)}, …`],
])('the text of %j names the last item of a list, or each item once', (source, shown) => {
  const { fields, empty } = fillFields(parcels, [source], 'en');
  expect(fields.get(1)).toBe(shown);
  expect(empty).toEqual(shown === undefined ? [source.path] : []);
});

test('the text of a long list ends after the items that fit', () => {
  const { fields } = fillFields(parcels, [{ path: 'tags.*' }], 'en');
  expect(fields.get(1)).toMatch(/^tag 0, tag 1, tag 2, .*, tag \d+, …$/);
  expect(fields.get(1)!.length).toBeLessThanOrEqual(300);
});

test('an empty default fills nothing', () => {
  const { fields, empty } = fillFields(payload, [{ path: 'none', default: '' }], 'en');
  expect([fields.size, empty]).toEqual([0, ['none']]);
});

test('inherited properties are not found, and bytes that are not UTF-8 are not a payload', () => {
  const paths = ['points.constructor.name', 'toString'];
  const { empty } = fillFields(
    payload,
    paths.map((path) => ({ path })),
    'en',
  );
  expect(empty).toEqual(paths);
  expect(readPayload(Buffer.from('{"a":"\xff"}', 'latin1'))).toBeUndefined();
});
