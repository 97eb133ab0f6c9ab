import { regional } from './region.ts';
import { time as texts } from './time.ts';
import { locale } from './translator.ts';

const dayMs = 86_400_000;

// Parts of sentences, so in the language of the texts.
const relative = new Intl.RelativeTimeFormat(locale);
const lists = {
  conjunction: new Intl.ListFormat(locale),
  disjunction: new Intl.ListFormat(locale, { type: 'disjunction' }),
};

export const formatNumber = (value: number): string => regional().number.format(value);
/** `€24.00`, or `24 XY` if the code of the currency is none. */
export function formatMoney(value: number, currency: string): string {
  try {
    const { locale } = regional().number.resolvedOptions();
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value);
  } catch {
    return `${formatNumber(value)} ${currency}`.trim();
  }
}
export const formatDateTime = (iso: string): string => regional().dateTime.format(new Date(iso));
/** With seconds, to compare with other logs. */
export const formatExactTime = (iso: string): string => regional().exactTime.format(new Date(iso));
export const formatDate = (iso: string): string => regional().date.format(new Date(iso));
export const formatTime = (iso: string): string => regional().time.format(new Date(iso));
/** `a, b, and c`, or as a disjunction, `a, b, or c`. */
export const formatList = (
  items: readonly string[],
  type: keyof typeof lists = 'conjunction',
): string => lists[type].format(items);
/** `2026-11-21` as `21 Nov`. */
export const formatDay = (day: string): string =>
  regional().utcDay.format(new Date(`${day}T00:00:00Z`));

export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return '–';
  // 99.96% is not "100%": something failed.
  const shown = part < whole ? Math.min(part / whole, 0.999) : 1;
  const isWhole = shown === 1 || shown === 0;
  return (isWhole ? regional().percent : regional().exactPercent).format(shown);
}

/** `3 minutes ago`, `in 2 days`: never `yesterday`, which 30 hours ago need not be. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Math.abs(seconds) < 60) return seconds > 0 ? texts('soon') : texts('now');
  const [minutes, hours, days] = [60, 3_600, 86_400].map((length) => Math.round(seconds / length));
  if (Math.abs(minutes!) < 60) return relative.format(minutes!, 'minute');
  return Math.abs(hours!) < 24 ? relative.format(hours!, 'hour') : relative.format(days!, 'day');
}

/** The heading of a day in a list: Today, Yesterday, a weekday or the date. */
export function formatDayHeading(iso: string, now = new Date()): string {
  const day = new Date(iso);
  const days = daysBetween(day, now);
  if (days === 0) return texts('today');
  if (days === 1) return texts('yesterday');
  return Math.abs(days) < 7 ? regional().weekday.format(day) : regional().date.format(day);
}

/** The day of the region, such as `2026-11-21`. */
export const formatToday = (): string => toClock(new Date().toISOString()).slice(0, 10);

/** The time of today, otherwise the heading of the day. */
export function formatTimeOrDay(iso: string, now = new Date()): string {
  return daysBetween(new Date(iso), now) === 0 ? formatTime(iso) : formatDayHeading(iso, now);
}

/** How many midnights of the region are between two times. */
function daysBetween(from: Date, to: Date): number {
  const [first, last] = [from, to].map((each) => Math.floor(clockOf(each) / dayMs));
  return last! - first!;
}

/** Returns the time of a clock in the region, such as `2026-11-21T09:05`, as ISO 8601 in UTC. */
export function fromClock(local: string): string {
  const wanted = Date.parse(`${local}Z`);
  // The second time with the offset at that time, which daylight saving may have changed.
  const near = wanted - (clockOf(new Date(wanted)) - wanted);
  return new Date(wanted - (clockOf(new Date(near)) - near)).toISOString();
}

/** Returns what a clock in the region shows at a time, to the minute, such as `2026-11-21T09:05`. */
export function toClock(iso: string): string {
  return new Date(clockOf(new Date(iso))).toISOString().slice(0, 16);
}

/** Returns the local time of the region as if it was in UTC. */
function clockOf(time: Date): number {
  const parts = regional().clock.formatToParts(time);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
  );
}
