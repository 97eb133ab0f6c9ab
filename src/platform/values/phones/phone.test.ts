import fc from 'fast-check';
import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/checks/any-text.ts';
import { isImpossible, isPhone, withoutNationalPrefix } from './phone.ts';
import { readWrittenPhone } from './written-phone.ts';

test.each([
  ['+14155550123', true],
  ['+1415555012', false],
  ['+4915112345678', true],
  ['+390612345678', true],
  ['+5215512345678', true],
  ['+52155123456789', false],
  ['+80012345678', true],
  ['+999123456789', false],
  ['+4407911123456', false],
  // The other numbers of its country have this length.
  ['+440791112345', false],
  ['+789161234567', false],
  ['+78005553535', true],
  ['+2250707070707', true],
  ['+2290190123456', true],
  ['+5491155551234', true],
])('%s can be a phone: %s', (phone, possible) => {
  expect(isImpossible(phone)).toBe(!possible);
});

test('isImpossible agrees with the library for all country codes and lengths', () => {
  const codes = [...new Set(getCountries().map((each) => getCountryCallingCode(each)))];
  const phones = fc
    .tuple(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...codes) },
        fc.stringMatching(/^[1-9]\d?$/),
      ),
      fc.stringMatching(/^\d{1,14}$/),
    )
    .map(([code, rest]) => `+${code}${rest}`.slice(0, 16))
    // Mexico is the exception: the network still writes its mobiles in an old form.
    .filter((phone) => !phone.startsWith('+52'));
  fc.assert(
    fc.property(phones, (phone) => {
      const parsed = parsePhoneNumberFromString(phone);
      expect(isImpossible(phone)).toBe(!(parsed?.isPossible() && parsed.number === phone));
    }),
    { numRuns: 3_000 },
  );
});

test('any text that is read as a phone has the right form or is not a phone', () => {
  const unit = fc.constantFrom(
    ...'+0123456789 ()-/.',
    '\u200e',
    '\u2010',
    '٣',
    'x',
    '\0',
    '\ud800',
  );
  const text = fc.oneof(
    anyText(),
    fc.array(unit, { maxLength: 24 }).map((units) => units.join('')),
  );
  fc.assert(
    fc.property(text, (written) => {
      const phone = readWrittenPhone(written);
      if (isPhone(phone)) expect(phone).toMatch(/^\+[1-9]\d{1,14}$/);
      expect(isPhone(phone) && isImpossible(phone)).toBe(false);
      if (isImpossible(phone)) expect(withoutNationalPrefix(phone)).toMatch(/^\+\d+$/);
    }),
    { numRuns: 500 },
  );
});
