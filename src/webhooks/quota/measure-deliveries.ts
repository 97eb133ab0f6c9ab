import type { Config } from '../../config.ts';
import { throttle } from '../../platform/concurrency/throttle.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import {
  addMissingUsage,
  beginRecount,
  countWaiting,
  findWebhooksToMeasure,
  measureNext,
  type Usage,
} from './measure-queries.ts';
import { describeFill, hardFactor, leaveBelow, type Quota, quotaOf, roomFor } from './quota.ts';
import { setRecording, trimNext } from './quota-queries.ts';

const webhooksPerPage = 500;
const measureChunkSize = 5_000;
const trimChunkSize = 1_000;
/** Chunks of one webhook per pass; the next pass continues. */
const maxTrims = 100;
/** Trimming stops after so many chunks with nothing to delete. */
const maxFruitlessTrims = 5;
/** The log is trimmed when it uses more than the first fraction of the bytes, down to the second. */
const [trimAbove, trimTo] = [0.9, 0.8];
/** Counting a full queue takes up to a second. */
const defaultCountEveryMs = 30_000;
/** A day. The recount adds deliveries that were committed out of order, which the sum misses. */
const defaultRecountEveryMs = 86_400_000;

type Services = { db: Database; config: Config; log: Log };
type Intervals = { countEveryMs: number; recountEveryMs: number };

/** Measures the deliveries of some tenants, as {@link measureDeliveries} does for all. */
export async function measureTenants(
  services: Services,
  tenantIds: number[],
  isStopping: () => boolean,
): Promise<void> {
  if (tenantIds.length === 0) return;
  await addMissingUsage(services.db, tenantIds);
  const intervals = { countEveryMs: defaultCountEveryMs, recountEveryMs: defaultRecountEveryMs };
  for (const tenantId of tenantIds) {
    if (isStopping()) return;
    await measureWebhook(services, tenantId, intervals);
  }
}

/**
 * Measures the deliveries of every webhook that has new ones, and sets which events its quota has room for
 * (docs/decisions/0026). A log that is too large is trimmed first, from the oldest finished delivery on, so that
 * only waiting deliveries can fill a quota. Several processes can do this at the same time.
 */
export async function measureDeliveries(
  services: Services,
  isStopping: () => boolean = () => false,
  {
    countEveryMs = defaultCountEveryMs,
    recountEveryMs = defaultRecountEveryMs,
  }: Partial<Intervals> = {},
): Promise<void> {
  const { db } = services;
  await addMissingUsage(db);
  for (let after: number | undefined = 0; after !== undefined && !isStopping(); ) {
    const from: number = after;
    const webhooks = await throttle(() => findWebhooksToMeasure(db.batched, from, webhooksPerPage));
    for (const { tenant_id: tenantId, is_due: isDue } of webhooks) {
      if (isDue && !isStopping()) {
        await measureWebhook(services, tenantId, { countEveryMs, recountEveryMs });
      }
    }
    after = webhooks.length === webhooksPerPage ? webhooks.at(-1)!.tenant_id : undefined;
  }
}

async function measureWebhook(
  services: Services,
  tenantId: number,
  intervals: Intervals,
): Promise<void> {
  const { db, config, log } = services;
  const quota = quotaOf(config);
  let usage = await measureAll(db, tenantId, intervals);
  if (usage && usage.kept_bytes > trimTo * quota.maxBytes && !usage.is_recounted_recently) {
    await beginRecount(db, tenantId);
    usage = await measureAll(db, tenantId, intervals);
  }
  if (!usage) return;
  const keptBytes = await trimLog(db, tenantId, usage, quota);
  const waiting = await findWaiting(db, tenantId, { ...usage, kept_bytes: keptBytes }, quota);
  if (!waiting) return;

  const before = { recording: usage.recording, fullOf: usage.full_of };
  const now = roomFor(waiting, quota, before);
  if (now.recording === before.recording && now.fullOf === before.fullOf) return;
  const offReason = `${describeFill(now.fullOf, quota, hardFactor)}, twice the quota.`;
  const isOff = await setRecording(db, tenantId, before.recording, now, offReason);
  if (isOff) log.warn({ tenantId, reason: offReason }, 'a webhook was switched off');
  else log.info({ tenantId, ...now }, 'the quota of a webhook changed which events are recorded');
}

/** @returns undefined if another process is measuring the webhook */
async function measureAll(
  db: Database,
  tenantId: number,
  intervals: Intervals,
): Promise<Usage | undefined> {
  for (;;) {
    const usage = await throttle(() =>
      measureNext(db.batched, tenantId, measureChunkSize, intervals),
    );
    if (!usage || usage.measured < measureChunkSize) return usage;
  }
}

/**
 * Deletes finished deliveries if the log exceeds its limit. Each pass continues where the last one ended.
 *
 * @returns the bytes of the log afterwards
 */
async function trimLog(
  db: Database,
  tenantId: number,
  { kept_bytes: keptBytes, measured_id: upTo, trimmed_id: trimmedTo }: Usage,
  { maxBytes }: Quota,
): Promise<number> {
  let bytes = keptBytes;
  if (bytes <= trimAbove * maxBytes) return bytes;
  let after = trimmedTo;
  for (let trims = 0, fruitless = 0; trims < maxTrims && fruitless < maxFruitlessTrims; trims++) {
    const from = after;
    const trimmed = await throttle(() =>
      trimNext(db, tenantId, { after: from, upTo }, trimChunkSize),
    );
    bytes -= trimmed.freed_bytes;
    after = trimmed.trimmed_id;
    if (trimmed.freed_bytes === 0) fruitless++;
    if (bytes <= trimTo * maxBytes || (after === 0 && from === 0)) break;
  }
  return bytes;
}

/**
 * Finds how many deliveries wait, and their bytes. It counts them only if the upper bounds are near the quota;
 * otherwise it returns the upper bounds.
 *
 * @returns undefined if they were counted recently
 */
async function findWaiting(
  db: Database,
  tenantId: number,
  usage: Usage,
  quota: Quota,
): Promise<{ waiting: number; bytes: number } | undefined> {
  const { waiting, kept_bytes: keptBytes, batch_bytes: batchBytes } = usage;
  const bytes = keptBytes + batchBytes;
  const isFarBelow =
    waiting <= leaveBelow * quota.maxWaiting && bytes <= leaveBelow * quota.maxBytes;
  if (isFarBelow) return { waiting, bytes };
  if (usage.is_counted_recently) return undefined;
  const counted = await throttle(() =>
    countWaiting(db, tenantId, hardFactor * quota.maxWaiting + 1),
  );
  return { ...counted, bytes: counted.bytes + batchBytes };
}
