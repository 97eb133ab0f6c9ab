import { failureSentence } from '../messages/failure-message.ts';
import { codeOf, fault } from '../platform/errors/fault.ts';
import { lastDays } from '../platform/values/last-days.ts';
import type { OverviewData } from './dashboard-schema.ts';
import type { OutcomeRow } from './queries.ts';

const failuresShown = 5;
const noReason = fault('no_reason', 'No reason was given.');

/** Lists the days up to today with the outcomes of their messages; days without messages are zeros. */
export function byDay(today: string, days: number, counted: OutcomeRow[]): OverviewData['days'] {
  const none = { delivered: 0, on_the_way: 0, failed: 0, unknown: 0, received: 0 };
  const all = lastDays(days, new Date(today)).map((day) => ({ day, ...none }));
  const found = new Map(all.map((each) => [each.day, each]));
  for (const { day, outcome, messages } of counted) {
    const each = found.get(day);
    if (each) each[outcome] += messages;
  }
  return all;
}

/** Lists the most frequent failures of all days together. */
export function topFailures(counted: OutcomeRow[]): OverviewData['failures'] {
  const byCode = new Map<number, { title: string | null; messages: number; lastAt: Date }>();
  for (const { outcome, code, title, messages, last_at: at } of counted) {
    if (outcome !== 'failed') continue;
    const before = byCode.get(code) ?? { title, messages: 0, lastAt: at };
    byCode.set(code, {
      title: before.title ?? title,
      messages: before.messages + messages,
      lastAt: at > before.lastAt ? at : before.lastAt,
    });
  }
  return [...byCode]
    .sort(([, a], [, b]) => b.messages - a.messages)
    .slice(0, failuresShown)
    .map(([failed, { title, messages, lastAt }]) => {
      const code = failed === -1 ? null : failed;
      const reason = title === null ? noReason : failureSentence({ code, title });
      return {
        code,
        title: reason.text,
        title_says: codeOf(reason),
        messages,
        last_at: lastAt.toISOString(),
      };
    });
}
