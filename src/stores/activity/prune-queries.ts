import sql, { empty, type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/** A store whose events are pruned, in the order of their ids. */
export type PrunedStore = {
  tenantId: number;
  storeId: number;
  /** The last event that was looked at. */
  lookedTo: number;
};

/** Whether an event is too old, or arrived while the clock was ahead, and would hold up those behind it. */
const isOld = (before: Date): Sql => sql`
  (received_at < ${before} or received_at > now() + interval '1 day')`;

/**
 * Deletes the settled ones of the next events of a store, in small chunks so that no lock is held for long.
 *
 * @param store its `lookedTo` is set
 * @returns how many it looked at; less than `limit` if the next ones are not old
 */
export async function pruneStoreEvents(
  db: Db,
  store: PrunedStore,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { tenantId, storeId, lookedTo } = store;
  const { rows } = await db.query<{ count: number; last: number }>(sql`
    with next as materialized (
      select id, received_at, due_at from store_events
      where tenant_id = ${tenantId} and store_id = ${storeId} and id > ${lookedTo}
      order by id limit ${limit}
    ), old as materialized (
      select id, due_at from next where ${isOld(before)}
    ), deleted as (
      delete from store_events using old
      where store_events.tenant_id = ${tenantId} and store_events.store_id = ${storeId}
        and store_events.id = old.id and old.due_at is null
    )
    select count(*), coalesce(max(id), 0) as last from old`);
  const { count, last } = rows[0]!;
  store.lookedTo = last;
  return count;
}

/** Deletes the states of resources, or only those of buyers, that have not changed since a time. */
export async function pruneStoreResources(
  db: Db,
  { before, kind }: { before: Date; kind?: 'buyer' },
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from store_resources where ctid in (
      select ctid from store_resources
      where changed_at < ${before} ${kind === undefined ? empty : sql`and kind = 'buyer'`}
      order by changed_at limit ${limit}
    )`);
  return rowCount ?? 0;
}

export async function pruneStoreHours(db: Db, before: Date): Promise<void> {
  await db.query(sql`delete from store_hours where hour < ${before}`);
}

/** Lists the stores whose oldest event is too old. Costs one index entry for each store. */
export async function listStoresToPrune(db: Db, before: Date): Promise<PrunedStore[]> {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    select stores.tenant_id, stores.id from stores
    cross join lateral (
      select received_at from store_events
      where store_events.tenant_id = stores.tenant_id and store_events.store_id = stores.id
      order by store_events.id limit 1
    ) as oldest
    where ${isOld(before)}
    order by stores.tenant_id, stores.id`);
  return rows.map((row) => ({ tenantId: row.tenant_id, storeId: row.id, lookedTo: 0 }));
}
