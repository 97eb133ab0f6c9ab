import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, textsIn } from '../../../test/checks/any-text.ts';
import type { Topic } from '../schema.ts';
import { sentSignatureOf, sentTopicOf } from './platform.ts';
import { platforms } from './platforms.ts';
import { firstText, readPayload, textsAt } from './read-payload.ts';

/** Names that the platforms use, and some that JavaScript has a meaning for. */
const name = fc.constantFrom(
  ...[
    'id',
    'order',
    'customer',
    'billing',
    'billing_address',
    'shipping_address',
    'phone',
    'email',
  ],
  ...['first_name', 'last_name', 'name', 'line_items', 'date_modified_gmt', 'updated_at', 'status'],
  ...['code', 'message', 'data', 'address', 'country', 'country_code', 'meta_data', 'key', 'value'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '0', ''],
);
function objectOf(value: fc.Arbitrary<string>, begin = ''): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(name, value), { maxLength: 5 })
    .map((fields) => fields.map(([key, each]) => `${JSON.stringify(key)}:${each}`))
    .map((fields) => `{${[...(begin ? [begin] : []), ...fields].join()}}`);
}

const json = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('null', 'true', '0', '-0', '1e999', '12345678901234567890', '1.50'),
    anyText(12).map((text) => JSON.stringify(text)),
    fc.constantFrom(
      '"\\u0000"',
      '"\\ud800"',
      '"+49 151 23456789"',
      '"2026-13-45T99:99:99"',
      '"DE"',
    ),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    objectOf(tie('value')),
  ),
})).value;
const body = fc.oneof(
  { weight: 4, arbitrary: json },
  { weight: 4, arbitrary: objectOf(json, '"id":7') },
  { weight: 1, arbitrary: anyText() },
  { weight: 1, arbitrary: fc.constantFrom('{', '{"a":}', '[1]', '\ufeff{}', '{"id":1,"id":2}') },
);

test('every platform reads a post of any shape, or refuses it with a reason', () => {
  fc.assert(
    fc.property(
      body,
      fc.dictionary(fc.constantFrom('x-webhook-id', 'x-wc-webhook-id'), fc.string()),
      (text, headers) => {
        const post = { headers, body: Buffer.from(text) };
        const payload = readPayload(post.body);
        for (const platform of Object.values(platforms)) {
          platform.isPing?.(post);
          sentTopicOf(platform, post);
          sentSignatureOf(platform, post);
          expect(typeof platform.deliveryName(post, () => 'hash')).toBe('string');
          for (const topic of payload ? Object.values<Topic>(platform.topics) : []) {
            const read = platform.read(topic, payload!, {});
            if ('state' in read) expect(['skipped', 'failed']).toContain(read.state);
            else {
              for (const each of textsIn(read)) {
                expect(each).not.toContain('\0');
                expect(each.isWellFormed()).toBe(true);
              }
            }
          }
        }
        if (!payload) return;
        for (const path of [
          'id',
          'billing.phone',
          '__proto__.constructor',
          'line_items.0.name',
          'line_items.last.name',
          'line_items.*.*',
          '',
        ]) {
          for (const text of textsAt(payload, path)) expect(text).not.toMatch(/^$|[\0\n]/);
        }
        firstText(payload, 'constructor', 'toString.length');
      },
    ),
    { numRuns: 300 },
  );
});

test('a body that is nested too deeply is not a payload', () => {
  expect(readPayload(Buffer.from('{"a":'.repeat(200_000)))).toBeUndefined();
  expect(
    readPayload(Buffer.from(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)),
  ).toBeUndefined();
});
