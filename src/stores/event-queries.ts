import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database.ts';
import type { Topic } from './schema.ts';

export type StoreEventState = 'waiting' | 'done' | 'nothing_to_do' | 'skipped' | 'failed';

export type StoreEventRow = {
  tenant_id: number;
  store_id: number;
  id: number;
  topic: Topic | null;
  headers: Record<string, string>;
  received_at: Date;
  replay_of: number | null;
  state: StoreEventState;
  reason: string | null;
  attempts: number;
  processed_at: Date | null;
  due_at: Date | null;
  contact_id: number | null;
  message_id: number | null;
};

const columns: Sql = sql`tenant_id, store_id, id, topic, headers, received_at, replay_of, state,
  reason, attempts, processed_at, due_at, contact_id, message_id`;

/**
 * The events of a store, newest first.
 *
 * @param before only events older than this one, to page on
 */
export async function listStoreEvents(
  db: Db,
  tenantId: number,
  storeId: number,
  { limit, before, state }: { limit: number; before?: number; state?: StoreEventState },
): Promise<StoreEventRow[]> {
  const { rows } = await db.query<StoreEventRow>(sql`
    select ${columns} from store_events
    where tenant_id = ${tenantId} and store_id = ${storeId}
      and id < ${before ?? Number.MAX_SAFE_INTEGER}
      and (${state ?? null}::text is null or state = ${state ?? null})
    order by id desc limit ${limit}`);
  return rows;
}

export async function findStoreEvent(
  db: Db,
  tenantId: number,
  storeId: number,
  id: number,
): Promise<(StoreEventRow & { body: Buffer }) | undefined> {
  const { rows } = await db.query<StoreEventRow & { body: Buffer }>(sql`
    select ${columns}, body from store_events
    where tenant_id = ${tenantId} and store_id = ${storeId} and id = ${id}`);
  return rows[0];
}
