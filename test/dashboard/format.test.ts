import { expect, test } from 'vitest';
import { formatAgo, formatDayHeading } from '../../web/texts/format.ts';

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
