import { describeFill, type Quota, shareOf, twiceFull } from './quota.ts';
import type { QuotaRow } from './quota-queries.ts';

/**
 * Presents the quota of an endpoint.
 *
 * @param quota that of the tenant
 */
export function presentQuota(row: QuotaRow | undefined, quota: Quota) {
  const share = shareOf(quota, row?.endpoints ?? 1);
  const { recording = 'all', full_of = null, dropped = 0, dropped_since: since } = row ?? {};
  const isShown = since && (recording !== 'all' || dropped > 0);
  return {
    max_waiting: share.maxWaiting,
    max_mb: share.maxBytes / 1_000_000,
    recording,
    full_of,
    dropped: isShown
      ? {
          events: dropped,
          since: since.toISOString(),
          until: row?.dropped_until?.toISOString() ?? null,
        }
      : null,
  };
}

/** Describes the state of a quota in a sentence; undefined if nothing was dropped. */
export function describeQuota(row: QuotaRow, quota: Quota): string | undefined {
  const { recording, full_of: fullOf } = row;
  const share = shareOf(quota, row.endpoints);
  const { dropped } = presentQuota(row, quota);
  if (recording === 'none') {
    const fill = twiceFull(fullOf, share).text;
    return row.is_on
      ? `${fill} No new events are recorded until there is room again.`
      : `${fill} The webhook was switched off.`;
  }
  if (!dropped) return undefined;
  const events = `${dropped.events.toLocaleString('en')} contact.read events`;
  if (recording === 'changes') {
    return `${describeFill(fullOf, share)}: contact.read events are dropped since ${dropped.since} (${events} so far). All others are kept.`;
  }
  return `${events} were dropped from ${dropped.since} until ${dropped.until}, because the quota was full.`;
}
