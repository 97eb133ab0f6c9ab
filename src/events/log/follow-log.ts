import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { createEventCursors } from './event-cursors.ts';
import { findEnd, type LogEntry } from './queries.ts';
import { createEventReader } from './read-events.ts';
import { createEventWaiter } from './wait-for-events.ts';

/**
 * Passes on each new event of a tenant until `signal` is aborted.
 *
 * @param types event types and families, separated by commas; undefined for all
 * @returns false if the tenant has no log
 * @throws ApiError 422 on `types`
 */
export async function followLog(
  services: { db: Database; log: Log; vault: Vault },
  tenantId: number,
  { types, signal, onEvent }: FollowOptions,
): Promise<boolean> {
  const { db, vault } = services;
  const end = await findEnd(db, tenantId);
  if (end === undefined) return false;
  const waiter = createEventWaiter(services);
  const readEvents = createEventReader(waiter, vault);
  let after = createEventCursors(vault).write(tenantId, end);
  while (!signal.aborted) {
    const asked = { after, types, limit: 100, waitMs: 25_000, signal };
    const { entries, next } = await readEvents(db.batched, tenantId, asked);
    for (const entry of entries) onEvent(entry);
    after = next;
  }
  waiter.close();
  return true;
}

type FollowOptions = {
  types: string | undefined;
  signal: AbortSignal;
  onEvent(entry: LogEntry): void;
};
