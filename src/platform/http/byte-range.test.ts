import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partOf, readRange } from './byte-range.ts';

const digits = fc.oneof(fc.nat(30).map(String), fc.constantFrom('', '0', '00', '9'.repeat(400)));
const header = fc.oneof(
  fc.tuple(digits, digits).map(([from, to]) => `bytes=${from}-${to}`),
  fc.string(),
  fc.constantFrom(undefined, 'bytes=', 'bytes=-', 'bytes=1-2,4-5', 'bytes=--1', 'pages=1-2'),
);

test('any Range header selects a part inside the body, the whole body, or nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      header,
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 9 }), { maxLength: 4 }),
      async (asked, chunks) => {
        const whole = Buffer.concat(chunks);
        const range = readRange(asked, whole.length);
        if (range === undefined || range === 'unsatisfiable') return;
        expect(range.first).toBeGreaterThanOrEqual(0);
        expect(range.last).toBeGreaterThanOrEqual(range.first);
        expect(range.last).toBeLessThan(whole.length);
        const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
        const part = await buffer(partOf(body, range));
        expect(part).toEqual(whole.subarray(range.first, range.last + 1));
      },
    ),
    { numRuns: 500 },
  );
});
