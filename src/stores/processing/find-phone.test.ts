import { expect, test } from 'vitest';
import { fault } from '../../platform/errors/fault.ts';
import { findPhone } from './find-phone.ts';

const noPhone = fault('for_a_test', 'The order has no billing phone.');

function find(
  text: string | undefined,
  country: string | undefined,
  ofStore: string | null = null,
) {
  return findPhone({ phones: [{ name: 'billing phone', text, country }], noPhone }, ofStore);
}

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
  expect(find(text, country)).toEqual({ phone });
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
])('%s of %s is not a phone', (text, country) => {
  expect(find(text, country)).toHaveProperty('reason');
});

test('the first phone that is given decides, with its own country, otherwise that of the store', () => {
  const phones = [
    { name: 'contact phone', text: undefined, country: 'US' },
    { name: 'billing phone', text: '020 7946 0958', country: 'GB' },
    { name: 'default address phone', text: '(415) 555-0132', country: 'US' },
  ];
  expect(findPhone({ phones, noPhone }, 'US')).toEqual({ phone: '+442079460958' });
  phones[1]!.text = 'ask me';
  expect(findPhone({ phones, noPhone }, 'US')).toMatchObject({
    reason: { text: 'The billing phone "ask me" is not a valid GB number.' },
  });
  expect(find('0221 4771234', undefined, 'DE')).toEqual({ phone: '+492214771234' });
});

test.each([
  [undefined, 'DE', 'The order has no billing phone.'],
  ['123', 'us', 'The billing phone "123" is not a valid US number.'],
  ['+49 123', 'US', 'The billing phone "+49 123" is not a valid number.'],
  [
    '0221 4771234',
    undefined,
    'The billing phone "0221 4771234" has no country code, and no country is known for it.',
  ],
  [
    '0221 4771234',
    'Germany',
    'The billing phone "0221 4771234" cannot be read: "Germany" is not a two-letter country code such as DE.',
  ],
])('the reason for %s of %s names the phone and what is wrong with it', (text, country, reason) => {
  expect(find(text, country)).toMatchObject({ reason: { text: reason } });
});
