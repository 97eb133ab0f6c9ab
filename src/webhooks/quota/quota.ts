import type { Config } from '../../config.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';

/** Which events of an endpoint the quota has room for. `changes` is all except `contact.read`. */
export type Recording = 'all' | 'changes' | 'none';

/** The units of a quota: the number of waiting deliveries, or their bytes. */
export type FullOf = 'waiting' | 'bytes';

/**
 * The maximum number of waiting deliveries of a tenant, and the maximum bytes of all stored bodies. Finished
 * deliveries are deleted to make room. If the waiting ones alone exceed the quota, `contact.read` is dropped.
 */
export type Quota = { maxWaiting: number; maxBytes: number };

/** Above this multiple of the quota, no events are recorded. */
export const hardFactor = 2;
/** Hysteresis: a state that was entered above a limit is left below this fraction of it. */
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
 * Returns the part of a tenant's quota that each of its endpoints may fill, so that one that fails leaves the others
 * their room.
 */
export function shareOf({ maxWaiting, maxBytes }: Quota, endpoints: number): Quota {
  const count = Math.max(1, endpoints);
  return { maxWaiting: Math.ceil(maxWaiting / count), maxBytes: Math.ceil(maxBytes / count) };
}

/**
 * Decides which events there is room for, by count or by bytes, whichever fills more of the quota.
 *
 * @param waiting the number of waiting deliveries, and the bytes of their bodies
 * @param before the previous decision
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

/** Describes what fills the quota, or a multiple of it, as the beginning of a sentence. */
export function describeFill(fullOf: FullOf | null, quota: Quota, factor = 1): string {
  const count = (each: number) => each.toLocaleString('en', { maximumFractionDigits: 1 });
  return fullOf === 'bytes'
    ? `Events of more than ${count((quota.maxBytes * factor) / bytesPerMegabyte)} MB wait to be delivered`
    : `More than ${count(quota.maxWaiting * factor)} events wait to be delivered`;
}

/** The reason why an endpoint is switched off. */
export function twiceFull(fullOf: FullOf | null, quota: Quota): Fault {
  const text = `${describeFill(fullOf, quota, hardFactor)}, twice the quota.`;
  return fullOf === 'bytes'
    ? fault('twice_the_megabytes', text, { max: (quota.maxBytes * hardFactor) / bytesPerMegabyte })
    : fault('twice_the_events', text, { max: quota.maxWaiting * hardFactor });
}
