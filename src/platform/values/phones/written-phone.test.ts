import { expect, test } from 'vitest';
import { readWrittenPhone as readInDashboard } from '../../../../web/dashboard/src/features/contacts/written-phone.ts';
import { readWrittenPhone } from './written-phone.ts';

test.each([
  ['+49 (151) 234-567.89', '+4915123456789'],
  ['0049 151 23456789', '+4915123456789'],
  ['\u202a+1 415\u2011555\u20112002\u202c', '+14155552002'],
  ['+49 (0)151 23456789', '+4915123456789'],
  ['\u202a+44 ( 0 ) 20 7946 0958\u202c', '+442079460958'],
  ['0049-(0)151/23456789', '+4915123456789'],
  // The 0 is part of an Italian number, and stays if there is no country code.
  ['+39 06 6982', '+39066982'],
  ['(0)151 23456789', '015123456789'],
  ['+1 (0', '+10'],
  ['Ana (0) 5', 'Ana05'],
  ['+٢٠ ١٠٠ ١٢٣ ٤٥٦٧', '+201001234567'],
  ['۰۰۹۸-۲۱-۲۳۴۵', '+98212345'],
  ['＋８１（９０）１２３４－５６７８', '+819012345678'],
  ['+९१ ९८७६५ ४३२१०', '+919876543210'],
  ['+33 6 12.34.56.78', '+33612345678'],
  ['+49 151/80/00/00/24', '+4915180000024'],
  // An extension, a second line or the decimals of a number are not digits of the phone.
  ['+4915180000020/21', '+4915180000020x21'],
  ['\u202a0049 (0)151 80000020 / 1 ', '+4915180000020x1'],
  ['+4915180000024.0', '+4915180000024x0'],
  // The beginning of a phone, as in a search.
  ['+49 151/80', '+4915180'],
])('%j is read as %s', (written, phone) => {
  expect(readWrittenPhone(written)).toBe(phone);
  expect(readInDashboard(written)).toBe(phone);
});
