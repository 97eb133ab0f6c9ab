import { beforeEach, expect, test } from 'vitest';
import { readDeliverySearch } from '../../web/dashboard/src/features/webhooks/search.ts';
import {
  formatAgo,
  formatDateTime,
  formatDay,
  formatDayHeading,
  formatExactTime,
  formatList,
  formatNumber,
  formatPercent,
  formatTime,
  fromClock,
} from '../../web/texts/format.ts';
import { setRegion } from '../../web/texts/region.ts';
import { usage } from '../../web/texts/usage.ts';

beforeEach(() => setRegion({ locale: 'en-GB' }));

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-20_000, 'just now'],
  [20_000, 'in a moment'],
  [-59.4 * minute, '59 minutes ago'],
  [-59.6 * minute, '1 hour ago'],
  [-23.4 * hour, '23 hours ago'],
  [-23.6 * hour, '1 day ago'],
  // On a Sunday morning this is Friday.
  [-35 * hour, '1 day ago'],
  [-40 * hour, '2 days ago'],
  [7 * day - minute, 'in 7 days'],
])('a time %d ms from now is shown as %s', (ms, text) => {
  const now = Date.parse('2026-11-22T09:00:00Z');
  expect(formatAgo(new Date(now + ms).toISOString(), now)).toBe(text);
});

test.each([
  [0, 'Today'],
  [-1, 'Yesterday'],
  [-6, 'Monday'],
  [-7, '15 Nov 2026'],
  // The clock of this browser, or of the server, is wrong.
  [30, '22 Dec 2026'],
])('the day %d days from today has the heading %s', (days, heading) => {
  const now = new Date(2026, 10, 22, 12);
  expect(formatDayHeading(new Date(2026, 10, 22 + days, 12).toISOString(), now)).toBe(heading);
});

test('a list is written in the language of its sentence, in every region', () => {
  setRegion({ locale: 'de-DE' });
  expect(formatList(['Ann', 'Ben', 'Cem'])).toBe('Ann, Ben, and Cem');
  expect(formatList(['paid', 'shipped'], 'disjunction')).toBe('paid or shipped');
});

test.each([
  ['en-GB', '1,234.5', '99.9%', '21 Nov 2026, 10:05'],
  ['en-US', '1,234.5', '99.9%', 'Nov 21, 2026, 10:05 AM'],
  ['de-DE', '1.234,5', '99,9 %', '21.11.2026, 10:05'],
  ['fr', '1 234,5', '99,9 %', '21 nov. 2026, 10:05'],
])('numbers and times are written as in %s', (locale, number, percent, time) => {
  setRegion({ locale, timeZone: 'Europe/Berlin' });
  const shown = [
    formatNumber(1234.5),
    formatPercent(99_960, 100_000),
    formatDateTime('2026-11-21T09:05:00Z'),
  ];
  // The kinds of spaces differ between releases of ICU.
  expect(shown.map((each) => each.replace(/\s/g, ' '))).toEqual([number, percent, time]);
});

test('times of details have seconds', () => {
  setRegion({ locale: 'en-GB', timeZone: 'Europe/Berlin' });
  expect(formatExactTime('2026-11-21T09:05:07Z')).toBe('21 Nov 2026, 10:05:07');
});

test('a number in a sentence is written as in the region, with the plural of the language of the texts', () => {
  setRegion({ locale: 'de-DE' });
  expect(usage('used', { used: 1234 })).toBe('1.234 messages');
});

test('a day ends at midnight in the time zone, and a day of the service at midnight UTC', () => {
  const now = new Date('2026-11-21T20:00:00Z');
  setRegion({ locale: 'en-GB', timeZone: 'Asia/Tokyo' });
  expect(formatTime('2026-11-21T14:59:00Z')).toBe('23:59');
  expect(formatDayHeading('2026-11-21T14:59:00Z', now)).toBe('Yesterday');
  expect(formatDayHeading('2026-11-21T15:00:00Z', now)).toBe('Today');
  expect(formatDay('2026-11-21')).toBe('21 Nov');
});

test.each([
  ['Asia/Tokyo', '2026-11-21T09:05', '2026-11-21T00:05:00.000Z'],
  ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59:00.000Z'],
  // Daylight saving has begun.
  ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
])('in %s, %s is %s', (timeZone, local, iso) => {
  setRegion({ timeZone });
  expect(fromClock(local)).toBe(iso);
});

test('a time of an address is read if it has no time zone', () => {
  const times = ['2026-11-25T09:05', '2026-11-25T09:05:30'];
  for (const since of times) expect(readDeliverySearch({ since }).since).toBe(since);
  for (const since of ['2026-11-25T09:05Z', '2026-13-25T09:05', '2026', 2026, undefined]) {
    expect(readDeliverySearch({ since }).since).toBeUndefined();
  }
});
