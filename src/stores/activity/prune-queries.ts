import sql, { empty } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/**
 * Deletes the oldest settled events of a store, in small chunks so that no lock is held for long.
 *
 * @returns how many it deleted
 */
export async function pruneStoreEvents(
  db: Db,
  { tenantId, storeId }: { tenantId: number; storeId: number },
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from store_events
    where tenant_id = ${tenantId} and store_id = ${storeId} and id in (
      select id from (
        select id, received_at, due_at from store_events
        where tenant_id = ${tenantId} and store_id = ${storeId}
        order by id limit ${limit}
      ) as oldest
      where received_at < ${before} and due_at is null
    )`);
  return rowCount ?? 0;
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

/** Lists the stores whose oldest event arrived before a time. Costs one index entry for each store. */
export async function listStoresToPrune(
  db: Db,
  before: Date,
): Promise<{ tenantId: number; storeId: number }[]> {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    select tenant_id, id from stores
    where (
      select received_at from store_events
      where store_events.tenant_id = stores.tenant_id and store_events.store_id = stores.id
      order by store_events.id limit 1
    ) < ${before}
    order by tenant_id, id`);
  return rows.map((row) => ({ tenantId: row.tenant_id, storeId: row.id }));
}
