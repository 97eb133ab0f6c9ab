import sql from 'sql-template-tag';
import { type Db, prepared } from '../platform/database.ts';

/** What was turned away from one store, and the last reason. */
export type Refusals = {
  tenantId: number;
  storeId: number;
  refused: number;
  pings: number;
  reason: string | null;
};

/** Adds to the current hour of many stores; a store that is gone meanwhile is passed over. */
export async function addRefusals(
  db: Db,
  refusals: Refusals[],
  clockOffsetMs: number,
): Promise<void> {
  await db.query(
    prepared(
      'add-store-refusals',
      sql`
        insert into store_hours as kept (tenant_id, store_id, hour, refused, pings, last_refusal)
        select stores.tenant_id, stores.id,
               date_trunc('hour', now() + ${clockOffsetMs}::float8 * interval '1 ms'),
               refused, pings, reason
        from unnest(${refusals.map((each) => each.tenantId)}::bigint[],
                    ${refusals.map((each) => each.storeId)}::bigint[],
                    ${refusals.map((each) => each.refused)}::int[],
                    ${refusals.map((each) => each.pings)}::int[],
                    ${refusals.map((each) => each.reason)}::text[])
             as counted (tenant_id, store_id, refused, pings, reason)
        join stores on stores.tenant_id = counted.tenant_id and stores.id = counted.store_id
        order by stores.tenant_id, stores.id
        on conflict (tenant_id, store_id, hour) do update set
          refused = kept.refused + excluded.refused,
          pings = kept.pings + excluded.pings,
          last_refusal = coalesce(excluded.last_refusal, kept.last_refusal)`,
    ),
  );
}
