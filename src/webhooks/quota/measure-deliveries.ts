import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { throttle } from '../../platform/throttle.ts';
import { describeFill, hardFactor, leaveBelow, type Quota, quotaOf, roomFor } from './quota.ts';
import {
  addMissingUsage,
  beginRecount,
  countWaiting,
  findWebhooksToMeasure,
  measureNext,
  setRecording,
  trimNext,
  type Usage,
} from './quota-queries.ts';

const webhooksAtOnce = 500;
const deliveriesAtOnce = 5_000;
const trimmedAtOnce = 1_000;
/** Of one webhook in one pass; the rest is for the next. */
const maxTrims = 100;
/** Chunks with nothing to trim, after which the rest is hardly better. */
const maxFruitlessTrims = 5;
/** The log is trimmed when it takes more than the first part of the bytes, down to the second. */
const [trimAbove, trimTo] = [0.9, 0.8];
/** Counting a full queue takes up to a second. */
const defaultCountEveryMs = 30_000;
/** A day: what was committed out of order is missing from the sum. */
const defaultRecountEveryMs = 86_400_000;

type Services = { db: Database; config: Config; log: Log };
type How = { countEveryMs: number; recountEveryMs: number };

/**
 * Measures the deliveries of every webhook that has new ones, and sets what its quota leaves room for
 * (docs/decisions/0026). A log that takes too much is trimmed first, from the oldest finished delivery on, so
 * that a quota is filled only by deliveries that wait. As many processes as want can do it at once.
 */
export async function measureDeliveries(
  services: Services,
  isStopping: () => boolean = () => false,
  { countEveryMs = defaultCountEveryMs, recountEveryMs = defaultRecountEveryMs }: Partial<How> = {},
): Promise<void> {
  const { db } = services;
  await addMissingUsage(db);
  for (let after: number | undefined = 0; after !== undefined && !isStopping(); ) {
    const from: number = after;
    const webhooks = await throttle(() => findWebhooksToMeasure(db.batched, from, webhooksAtOnce));
    for (const { tenant_id: tenantId, is_due: isDue } of webhooks) {
      if (isDue && !isStopping()) {
        await measureWebhook(services, tenantId, { countEveryMs, recountEveryMs });
      }
    }
    after = webhooks.length === webhooksAtOnce ? webhooks.at(-1)!.tenant_id : undefined;
  }
}

async function measureWebhook(services: Services, tenantId: number, how: How): Promise<void> {
  const { db, config, log } = services;
  const quota = quotaOf(config);
  let usage = await measureAll(db, tenantId, how);
  if (usage && usage.kept_bytes > trimTo * quota.maxBytes && !usage.is_recounted_lately) {
    await beginRecount(db, tenantId);
    usage = await measureAll(db, tenantId, how);
  }
  if (!usage) return;
  const kept = await trimLog(db, tenantId, usage, quota);
  const waiting = await findWaiting(db, tenantId, { ...usage, kept_bytes: kept }, quota);
  if (!waiting) return;

  const before = { recording: usage.recording, fullOf: usage.full_of };
  const now = roomFor(waiting, quota, before);
  if (now.recording === before.recording && now.fullOf === before.fullOf) return;
  const offReason = `${describeFill(now.fullOf, quota, hardFactor)}, twice the quota.`;
  const isOff = await setRecording(db, tenantId, before.recording, now, offReason);
  if (isOff) log.warn({ tenantId, reason: offReason }, 'a webhook was switched off');
  else log.info({ tenantId, ...now }, 'what the quota of a webhook leaves room for has changed');
}

/** @returns undefined if another process is at it */
async function measureAll(db: Database, tenantId: number, how: How): Promise<Usage | undefined> {
  for (;;) {
    const usage = await throttle(() => measureNext(db.batched, tenantId, deliveriesAtOnce, how));
    if (!usage || usage.measured < deliveriesAtOnce) return usage;
  }
}

/**
 * Deletes finished deliveries if more is kept than there is room for. A round through them begins where the
 * last one ended.
 *
 * @returns the bytes that are kept after it
 */
async function trimLog(
  db: Database,
  tenantId: number,
  { kept_bytes: keptBytes, measured_id: upTo, trimmed_id: trimmedTo }: Usage,
  { maxBytes }: Quota,
): Promise<number> {
  let kept = keptBytes;
  if (kept <= trimAbove * maxBytes) return kept;
  let after = trimmedTo;
  for (let trims = 0, fruitless = 0; trims < maxTrims && fruitless < maxFruitlessTrims; trims++) {
    const from = after;
    const trimmed = await throttle(() =>
      trimNext(db, tenantId, { after: from, upTo }, trimmedAtOnce),
    );
    kept -= trimmed.freed_bytes;
    after = trimmed.trimmed_id;
    if (trimmed.freed_bytes === 0) fruitless++;
    if (kept <= trimTo * maxBytes || (after === 0 && from === 0)) break;
  }
  return kept;
}

/**
 * Finds how much waits. Unless it can matter, it is not counted, and what is returned is an upper bound.
 *
 * @returns undefined if it was counted lately
 */
async function findWaiting(
  db: Database,
  tenantId: number,
  usage: Usage,
  quota: Quota,
): Promise<{ waiting: number; bytes: number } | undefined> {
  const { waiting, kept_bytes: kept, batch_bytes: batches } = usage;
  const bytes = kept + batches;
  const isLittle = waiting <= leaveBelow * quota.maxWaiting && bytes <= leaveBelow * quota.maxBytes;
  if (isLittle) return { waiting, bytes };
  if (usage.is_counted_lately) return undefined;
  const counted = await throttle(() =>
    countWaiting(db, tenantId, hardFactor * quota.maxWaiting + 1),
  );
  return { ...counted, bytes: counted.bytes + batches };
}
