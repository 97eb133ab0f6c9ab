import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readWrittenPhone as readInService } from '../../src/platform/values/phones/written-phone.ts';
import { readWrittenPhone } from '../../web/dashboard/src/features/contacts/written-phone.ts';

const unit = fc.constantFrom(...'+0123 ().-/a\u202a\u2011\u00ad', '00', '(0)', '( 0 )');
const texts = fc.array(unit, { maxLength: 25 }).map((each) => each.join(''));

test('the dashboard reads a written phone as the service does', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(readWrittenPhone(text)).toBe(readInService(text));
    }),
    { numRuns: 2_000 },
  );
});
