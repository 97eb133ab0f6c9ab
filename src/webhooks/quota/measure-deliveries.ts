import type { Config } from '../../config.ts';
import { throttle } from '../../platform/concurrency/throttle.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import {
  addMissingUsage,
  beginRecount,
  countWaiting,
  type EndpointRow,
  findTenantsToMeasure,
  listEndpointsOf,
  measureNext,
  type Usage,
} from './measure-queries.ts';
import {
  hardFactor,
  leaveBelow,
  type Quota,
  quotaOf,
  roomFor,
  shareOf,
  twiceFull,
} from './quota.ts';
import { setRecording, trimNext } from './quota-queries.ts';

const tenantsPerPage = 500;
const measureChunkSize = 5_000;
const trimChunkSize = 1_000;
/** Chunks of one tenant per pass; the next pass continues. */
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
    await measureTenant(services, tenantId, intervals);
  }
}

/**
 * Measures the deliveries of every tenant that has new ones, and sets for which events each endpoint's share of the
 * quota has room (docs/decisions/0026). A log that is too large is trimmed first, from the oldest finished delivery
 * on, so that only waiting deliveries can fill a quota. Several processes can do this at the same time.
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
    const tenants = await throttle(() => findTenantsToMeasure(db.batched, from, tenantsPerPage));
    for (const { tenant_id: tenantId, is_due: isDue } of tenants) {
      if (isDue && !isStopping()) {
        await measureTenant(services, tenantId, { countEveryMs, recountEveryMs });
      }
    }
    after = tenants.length === tenantsPerPage ? tenants.at(-1)!.tenant_id : undefined;
  }
}

async function measureTenant(
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
  const endpoints = await listEndpointsOf(db, tenantId);
  const share = shareOf(quota, endpoints.length);
  const waiting = await findWaiting(db, tenantId, { ...usage, kept_bytes: keptBytes }, share);
  if (!waiting) return;
  for (const endpoint of endpoints) {
    await decideRecording({ db, log }, tenantId, endpoint, waiting(endpoint.id), share);
  }
}

async function decideRecording(
  { db, log }: Pick<Services, 'db' | 'log'>,
  tenantId: number,
  { id, name, recording, full_of: fullOf }: EndpointRow,
  waiting: Waiting,
  share: Quota,
): Promise<void> {
  const before = { recording, fullOf };
  const now = roomFor(waiting, share, before);
  if (now.recording === before.recording && now.fullOf === before.fullOf) return;
  const offReason = twiceFull(now.fullOf, share);
  const endpoint = { tenantId, webhookId: id };
  const isOff = await setRecording(db, endpoint, before.recording, now, offReason);
  const fields = { tenantId, endpoint: name };
  if (isOff) log.warn({ ...fields, reason: offReason.text }, 'a webhook was switched off');
  else log.info({ ...fields, ...now }, 'the quota of a webhook changed which events are recorded');
}

/** @returns undefined if another process is measuring the tenant */
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

/** How many deliveries wait, and the bytes of their bodies. */
type Waiting = { waiting: number; bytes: number };

/**
 * Finds how many deliveries wait at each endpoint, and their bytes. It counts them only if the upper bounds, which are
 * those of the tenant, are near the share of one endpoint; otherwise it returns the upper bounds.
 *
 * @returns undefined if they were counted recently
 */
async function findWaiting(
  db: Database,
  tenantId: number,
  usage: Usage,
  share: Quota,
): Promise<((id: number) => Waiting) | undefined> {
  const { waiting, kept_bytes: keptBytes, batch_bytes: batchBytes } = usage;
  const bytes = keptBytes + batchBytes;
  const isFarBelow =
    waiting <= leaveBelow * share.maxWaiting && bytes <= leaveBelow * share.maxBytes;
  if (isFarBelow) return () => ({ waiting, bytes });
  if (usage.is_counted_recently) return undefined;
  const counted = await throttle(() =>
    countWaiting(db, tenantId, hardFactor * share.maxWaiting + 1),
  );
  const byId = new Map(counted.map((each) => [each.id, each]));
  return (id) => ({
    waiting: byId.get(id)?.waiting ?? 0,
    bytes: (byId.get(id)?.bytes ?? 0) + batchBytes,
  });
}
