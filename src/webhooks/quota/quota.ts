import type { Config } from '../../config.ts';

/** What the quota leaves room for of the events that a webhook wants: `changes` is all but `contact.read`. */
export type Recording = 'all' | 'changes' | 'none';

/** What fills a quota: the number of deliveries that wait, or their bytes. */
export type FullOf = 'waiting' | 'bytes';

/**
 * How many deliveries of a tenant may wait, and how many bytes the bodies of all that are kept may take.
 * Finished ones make room for new ones; if the waiting ones alone exceed it, `contact.read` is dropped.
 */
export type Quota = { maxWaiting: number; maxBytes: number };

/** Beyond this many times the quota nothing is recorded any more. */
export const hardFactor = 2;
/** What was entered above a limit is left below this part of it. */
export const leaveBelow = 0.9;

const bytesPerMegabyte = 1_000_000;

export function quotaOf({
  deliveryQuotaWaiting,
  deliveryQuotaMegabytes,
}: Pick<Config, 'deliveryQuotaWaiting' | 'deliveryQuotaMegabytes'>): Quota {
  return {
    maxWaiting: deliveryQuotaWaiting,
    maxBytes: deliveryQuotaMegabytes * bytesPerMegabyte,
  };
}

/**
 * Says what there is room for, by what fills more of the quota.
 *
 * @param waiting deliveries, and bytes of their bodies
 * @param before what there was room for so far, and why not for all
 */
export function roomFor(
  waiting: { waiting: number; bytes: number },
  quota: Quota,
  before: { recording: Recording; fullOf: FullOf | null },
): { recording: Recording; fullOf: FullOf | null } {
  const byCount = waiting.waiting / quota.maxWaiting;
  const byBytes = waiting.bytes / quota.maxBytes;
  const recording = recordingAt(Math.max(byCount, byBytes), before.recording);
  if (recording === 'all') return { recording, fullOf: null };
  return { recording, fullOf: byCount >= byBytes ? 'waiting' : 'bytes' };
}

function recordingAt(fill: number, before: Recording): Recording {
  const isOver = (limit: number, isEntered: boolean) =>
    fill > limit || (isEntered && fill > limit * leaveBelow);
  if (isOver(hardFactor, before === 'none')) return 'none';
  return isOver(1, before !== 'all') ? 'changes' : 'all';
}

/** What fills the quota, or a multiple of it, as the beginning of a sentence. */
export function describeFill(fullOf: FullOf | null, quota: Quota, factor = 1): string {
  const count = (each: number) => each.toLocaleString('en');
  return fullOf === 'bytes'
    ? `Events of more than ${count((quota.maxBytes * factor) / bytesPerMegabyte)} MB wait to be delivered`
    : `More than ${count(quota.maxWaiting * factor)} events wait to be delivered`;
}
