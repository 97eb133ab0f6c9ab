import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';

/** The refused posts and the pings of one store, with the last reason. */
export type Refusals = {
  tenantId: number;
  storeId: number;
  refused: number;
  pings: number;
  reason: string | null;
};

/** Adds refusals to the current hour of many stores. Deleted stores are skipped. */
export async function addRefusals(db: Db, refusals: Refusals[]): Promise<void> {
  await db.query(
    statement(
      'add-store-refusals',
      sql`
        insert into store_hours as stored (tenant_id, store_id, hour, refused, pings, last_refusal)
        select stores.tenant_id, stores.id,
               date_trunc('hour', now()),
               refused, pings, reason
        from ${rowsOf('counted', refusals, {
          tenant_id: ['bigint', ({ tenantId }) => tenantId],
          store_id: ['bigint', ({ storeId }) => storeId],
          refused: ['int', ({ refused }) => refused],
          pings: ['int', ({ pings }) => pings],
          reason: ['text', ({ reason }) => reason],
        })}
        join stores on stores.tenant_id = counted.tenant_id and stores.id = counted.store_id
        order by stores.tenant_id, stores.id
        on conflict (tenant_id, store_id, hour) do update set
          refused = stored.refused + excluded.refused,
          pings = stored.pings + excluded.pings,
          last_refusal = coalesce(excluded.last_refusal, stored.last_refusal)
        returning ${notifyTopic('stores', sql`stored.tenant_id`)}`,
    ),
  );
}

/** The counts of a store's posts in a period. */
export type StoreCounts = {
  /** Posts to the address, without pings. */
  received: number;
  verified: number;
  refused: number;
  repeated: number;
  pings: number;
  done: number;
  nothing_to_do: number;
  skipped: number;
  failed: number;
  messages_sent: number;
};

const sums: Sql = sql`
  coalesce(sum(verified + refused), 0)::int as received,
  coalesce(sum(verified), 0)::int as verified, coalesce(sum(refused), 0)::int as refused,
  coalesce(sum(repeated), 0)::int as repeated, coalesce(sum(pings), 0)::int as pings,
  coalesce(sum(done), 0)::int as done, coalesce(sum(nothing_to_do), 0)::int as nothing_to_do,
  coalesce(sum(skipped), 0)::int as skipped, coalesce(sum(failed), 0)::int as failed,
  coalesce(sum(messages_sent), 0)::int as messages_sent`;

/**
 * Lists the counts of a store by hour or by day (UTC), the oldest first. Periods without a post are omitted.
 */
export async function countsOverTime(
  db: Db,
  tenantId: number,
  storeId: number,
  { by, since }: { by: 'hour' | 'day'; since: Date },
): Promise<(StoreCounts & { at: Date })[]> {
  const { rows } = await db.query<StoreCounts & { at: Date }>(sql`
    select date_trunc(${by}, hour, 'UTC') as at, ${sums}
    from store_hours
    where tenant_id = ${tenantId} and store_id = ${storeId} and hour >= ${since}
    group by 1 order by 1`);
  return rows;
}

export type StoreActivity = StoreCounts & {
  store_id: number;
  /** The last activity within the stored hours; null if there is none. */
  last_seen_at: Date | null;
  last_refusal: string | null;
  /** When the store's silence began, if it is longer than usual for this store. */
  quiet_since: Date | null;
};

/**
 * Computes the activity of every store of a tenant, or of one store, in the last 28 days. A store counts as quiet if
 * it posted in at least ten hours, and its silence is longer than three hours and than 1.5 times its second longest
 * pause. The longest pause does not count, because it may have been an outage. The pauses are those of the 28 days
 * before its last post.
 */
export async function storeActivity(
  db: Db,
  tenantId: number,
  storeId?: number,
): Promise<StoreActivity[]> {
  const isSelected = sql`
    stores.tenant_id = ${tenantId}
    and (${storeId ?? null}::bigint is null or stores.id = ${storeId ?? null})`;
  const { rows } = await db.query<StoreActivity>(sql`
    with recent as not materialized (
      -- Otherwise every store would scan the hours of all stores.
      select store_hours.* from store_hours
      where tenant_id = ${tenantId} and hour > now() - interval '28 days'
    ), seen as (
      select stores.id as store_id, latest.last_seen_at
      from stores
      cross join lateral (
        select last_seen_at from store_hours
        where tenant_id = ${tenantId} and store_id = stores.id and last_seen_at is not null
        order by hour desc limit 1
      ) as latest
      where ${isSelected}
    ), pauses as (
      select seen.store_id, hour - lag(hour) over (partition by seen.store_id order by hour) as pause
      from seen
      join store_hours on store_hours.tenant_id = ${tenantId}
        and store_hours.store_id = seen.store_id
        and hour > seen.last_seen_at - interval '28 days'
      where store_hours.last_seen_at is not null
    ), habits as (
      select store_id, count(*) as active_hours,
             (array_agg(pause order by pause desc nulls last))[2] as pause
      from pauses group by store_id
    )
    select stores.id as store_id, counts.*, seen.last_seen_at,
           (select last_refusal from recent
            where recent.store_id = stores.id and last_refusal is not null
            order by hour desc limit 1) as last_refusal,
           case when habits.active_hours >= 10
             and now() - seen.last_seen_at
               > greatest(interval '3 hours', habits.pause * 1.5 + interval '1 hour')
             then seen.last_seen_at end as quiet_since
    from stores
    left join seen on seen.store_id = stores.id
    left join habits on habits.store_id = stores.id
    cross join lateral (
      select ${sums} from recent where recent.store_id = stores.id
    ) as counts
    where ${isSelected}
    order by stores.id`);
  return rows;
}
