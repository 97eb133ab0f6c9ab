import { CommandError } from './command.ts';

/** Parses `30s`, `15m`, `12h`, `90d` as a time from now on. */
export function expiryFrom(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const ms = durationMs(text);
  if (ms === undefined) throw new CommandError(`"${text}" is not a time such as 30s, 12h or 90d.`);
  return new Date(Date.now() + ms);
}

/** Parses `2026-11-21T10:00Z` (UTC if it has no zone), or `30s`, `7d` as a time ago. */
export function timeFrom(text: string): Date {
  const ms = durationMs(text);
  if (ms !== undefined) return new Date(Date.now() - ms);
  const [, day, hour = '00:00', zone = 'Z'] = iso8601.exec(text) ?? [];
  const time = new Date(`${day}T${hour}${zone}`);
  // JavaScript reads the 30th of February as a day in March.
  const isOfCalendar = day && new Date(day).toJSON()?.startsWith(day);
  if (!isOfCalendar || Number.isNaN(time.getTime())) {
    throw new CommandError(`"${text}" is not a time such as 2026-11-21T10:00Z, or 30m, 12h, 7d.`);
  }
  return time;
}

/** JavaScript also reads "7" and "order 1042" as dates, which nobody means. */
const iso8601 = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

function durationMs(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (!amount || !unit) return undefined;
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number(amount) * unitMs[unit as keyof typeof unitMs];
}
