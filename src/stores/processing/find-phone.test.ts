import { expect, test } from 'vitest';
import { findPhone } from './find-phone.ts';

test.each([
  ['0221 / 477 12 34', 'DE', '+492214771234'],
  ['+49 (0)221 4771234', 'US', '+492214771234'],
  ['0049 221 4771234', 'DE', '+492214771234'],
  ['00 44 20 7946 0958', 'PK', '+442079460958'],
  ['(415) 555-0132', 'US', '+14155550132'],
  ['1-415-555-0132', 'US', '+14155550132'],
  ['0300.1234567', 'PK', '+923001234567'],
  ['٠٣٠٠ ١٢٣٤٥٦٧', 'PK', '+923001234567'],
  ['06 12 34 56 78', 'fr', '+33612345678'],
  ['11 98765-4321', 'BR', '+5511987654321'],
  ['+52 1 55 1234 5678', 'MX', '+525512345678'],
])('%s of %s is %s', (text, country, phone) => {
  expect(findPhone([{ text, country }], null)).toEqual({ phone });
});

test.each([
  ['555-555-SHIP', 'US'],
  ['0221 4771234 Frau Groß', 'DE'],
  ['0000000000', 'DE'],
  ['123', 'DE'],
  ['0221 4771234', ''],
  ['0221 4771234', 'Germany'],
  ['n/a', 'US'],
  ['+', 'US'],
  ['+52 1 00 1234 5678', 'MX'],
  [`0221 ${'-'.repeat(30)} 4771234`, 'DE'],
])('%s of %s is none', (text, country) => {
  expect(findPhone([{ text, country }], null)).toHaveProperty('reason');
});

test('the first that is a phone is taken, each with its own country, else that of the store', () => {
  const typed = [
    { text: undefined, country: 'US' },
    { text: 'ask me', country: 'US' },
    { text: '020 7946 0958', country: 'GB' },
    { text: '(415) 555-0132', country: 'US' },
  ];
  expect(findPhone(typed, 'US')).toEqual({ phone: '+442079460958' });
  expect(findPhone([{ text: 'ask me', country: 'GB' }], 'US')).toEqual({
    reason: '"ask me" is no phone number of GB.',
  });
  expect(findPhone([{ text: '0221 4771234', country: 'Germany' }], 'DE')).toEqual({
    reason:
      '"0221 4771234" is no phone number of Germany; a country is a code of two letters, such as DE.',
  });
  expect(findPhone([{ text: '0221 4771234' }], 'DE')).toEqual({ phone: '+492214771234' });
});
