import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../test/checks/any-text.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { readKey } from './read-key.ts';

const given = fc.oneof(
  anyText(300),
  fc.stringMatching(/^[!-~]{1,300}$/),
  fc.array(fc.string(), { maxLength: 2 }),
);

test('any Idempotency-Key is returned unchanged or refused with 400', () => {
  fc.assert(
    fc.property(given, (key) => {
      const request = { headers: { 'idempotency-key': key } } as never;
      const isValid =
        typeof key === 'string' &&
        key.length >= 1 &&
        key.length <= 255 &&
        [...key].every((each) => each > ' ' && each <= '~');
      if (isValid) {
        expect(readKey(request)).toBe(key);
        return;
      }
      let error: unknown;
      try {
        readKey(request);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status: 400 });
    }),
    { numRuns: 500 },
  );
});
