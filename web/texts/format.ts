import { time as texts } from './time.ts';

const number = new Intl.NumberFormat('en');
const relative = new Intl.RelativeTimeFormat('en');
const dateTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const shortDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });

export const formatNumber = (value: number): string => number.format(value);
export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso));
export const formatDate = (iso: string): string => date.format(new Date(iso));
export const formatTime = (iso: string): string => time.format(new Date(iso));
/** `2026-11-21` as `21 Nov`. */
export const formatDay = (day: string): string => shortDay.format(new Date(`${day}T00:00:00Z`));

export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  // 99.96% is not "100%": something failed.
  const shown = percent < 100 ? Math.min(percent, 99.9) : 100;
  return `${shown >= 99.95 || shown === 0 ? shown.toFixed(0) : shown.toFixed(1)}%`;
}

/** `3 minutes ago`, `in 2 days`: never `yesterday`, which 30 hours ago need not be. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Math.abs(seconds) < 60) return seconds > 0 ? texts('soon') : texts('now');
  const [minutes, hours, days] = [60, 3_600, 86_400].map((length) => Math.round(seconds / length));
  if (Math.abs(minutes!) < 60) return relative.format(minutes!, 'minute');
  return Math.abs(hours!) < 24 ? relative.format(hours!, 'hour') : relative.format(days!, 'day');
}

/** The heading of a day in a list: Today, Yesterday, a weekday, else the date. */
export function formatDayHeading(iso: string, now = new Date()): string {
  const day = new Date(iso);
  const days = Math.round((startOfDay(now) - startOfDay(day)) / 86_400_000);
  if (days === 0) return texts('today');
  if (days === 1) return texts('yesterday');
  return Math.abs(days) < 7 ? weekday.format(day) : date.format(day);
}

function startOfDay(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
