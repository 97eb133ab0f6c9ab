import sql, { empty } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { FullOf, Recording } from './quota.ts';

/** Creates the usage rows of tenants that have a webhook: of all, or of some. */
export async function addMissingUsage(db: Db, tenantIds?: number[]): Promise<void> {
  const ofThem = tenantIds ? sql`tenant_id = any(${tenantIds}::bigint[]) and` : empty;
  await db.query(sql`
    insert into delivery_usage (tenant_id)
    select distinct tenant_id from webhooks
    where ${ofThem}
      not exists (select from delivery_usage as stored where stored.tenant_id = webhooks.tenant_id)
    on conflict do nothing`);
}

/** Finds the tenants with an endpoint whose quota was full, or who have events that are not yet deliveries. */
export async function findUnsettledTenants(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    select tenant_id from webhooks where full_of is not null
    union
    select tenant_id from event_batches`);
  return rows.map(({ tenant_id }) => tenant_id);
}

/**
 * Finds the next page of tenants that have webhooks. `is_due` is true if there are new deliveries, or the quota of
 * an endpoint was full.
 *
 * @param after the last tenant of the previous page; 0 for the first page
 */
export async function findTenantsToMeasure(
  db: Db,
  after: number,
  limit: number,
): Promise<{ tenant_id: number; is_due: boolean }[]> {
  const { rows } = await db.query<{ tenant_id: number; is_due: boolean }>(
    statement(
      'find-tenants-to-measure',
      sql`
        select usage.tenant_id,
               coalesce((
                   select true from webhooks
                   where webhooks.tenant_id = usage.tenant_id and webhooks.full_of is not null limit 1
                 ), false)
                 or exists (
                   select from deliveries
                   where deliveries.tenant_id = usage.tenant_id and deliveries.id > usage.measured_id)
                 -- With exists(), PostgreSQL would read and hash all batches.
                 or coalesce((
                   select true from event_batches
                   where event_batches.tenant_id = usage.tenant_id limit 1
                 ), false) as is_due
        from delivery_usage as usage
        where usage.tenant_id > ${after}
        order by usage.tenant_id limit ${limit}`,
    ),
  );
  return rows;
}

export type Usage = {
  /** How many deliveries this statement measured. */
  measured: number;
  /** Bytes of the bodies of all stored deliveries. */
  kept_bytes: number;
  /** Bytes of the batches that are not yet deliveries. */
  batch_bytes: number;
  /** An upper bound of the number of waiting deliveries. */
  waiting: number;
  is_counted_recently: boolean;
  is_recounted_recently: boolean;
  /** The last delivery that was measured, and the last one that trimming has reached. */
  measured_id: number;
  trimmed_id: number;
};

/**
 * Adds the next deliveries of a tenant to its usage.
 *
 * @param intervals define `is_counted_recently` and `is_recounted_recently` of the result
 * @returns undefined if another process is measuring the tenant
 */
export async function measureNext(
  db: Db,
  tenantId: number,
  limit: number,
  intervals: { countEveryMs: number; recountEveryMs: number },
): Promise<Usage | undefined> {
  const { rows } = await db.query<Usage>(
    statement(
      'measure-next-deliveries',
      sql`
        with usage as (
          select tenant_id, measured_id from delivery_usage where tenant_id = ${tenantId}
          for update skip locked
        ), next as (
          select count(*) as measured, coalesce(sum(octet_length(body)), 0)::bigint as bytes,
                 max(id) as up_to
          from usage
          cross join lateral (
            select id, body from deliveries
            where deliveries.tenant_id = usage.tenant_id and deliveries.id > usage.measured_id
            order by id limit ${limit}
          ) as following
        )
        update delivery_usage as stored set
          measured_id = coalesce(next.up_to, stored.measured_id),
          kept_bytes = stored.kept_bytes + next.bytes,
          waiting = stored.waiting + next.measured
        from usage, next
        where stored.tenant_id = usage.tenant_id and stored.measured_id = usage.measured_id
        returning next.measured, stored.kept_bytes, stored.waiting, stored.measured_id, stored.trimmed_id, (
                    select coalesce(sum(octet_length(data)), 0)::bigint from event_batches
                    where event_batches.tenant_id = stored.tenant_id
                  ) as batch_bytes,
                  coalesce(stored.waiting_counted_at
                    > now() - ${intervals.countEveryMs}::float8 * interval '1 ms', false)
                    as is_counted_recently,
                  stored.recounted_at > now() - ${intervals.recountEveryMs}::float8 * interval '1 ms'
                    as is_recounted_recently`,
    ),
  );
  return rows[0];
}

/** Resets the usage of a tenant, so that its deliveries are measured again from the first one on. */
export async function beginRecount(db: Db, tenantId: number): Promise<void> {
  await db.query(sql`
    update delivery_usage set measured_id = 0, kept_bytes = 0, waiting = 0, recounted_at = now()
    where tenant_id = ${tenantId}`);
}

export type EndpointRow = {
  id: number;
  name: string;
  recording: Recording;
  full_of: FullOf | null;
};

/** Lists a tenant's endpoints, with what was last decided about their quotas. */
export async function listEndpointsOf(db: Db, tenantId: number): Promise<EndpointRow[]> {
  const { rows } = await db.query<EndpointRow>(sql`
    select id, name, recording, full_of from webhooks where tenant_id = ${tenantId} order by id`);
  return rows;
}

/**
 * Counts the waiting deliveries of every endpoint of a tenant and the bytes of their bodies, up to `max` deliveries
 * of each.
 */
export async function countWaiting(
  db: Db,
  tenantId: number,
  max: number,
): Promise<{ id: number; waiting: number; bytes: number }[]> {
  const { rows } = await db.query<{ id: number; waiting: number; bytes: number }>(sql`
    with counted as materialized (
      select webhooks.id, of_endpoint.waiting, of_endpoint.bytes
      from webhooks
      cross join lateral (
        select count(*) as waiting, coalesce(sum(octet_length(body)), 0)::bigint as bytes
        from (
          select body from deliveries
          where tenant_id = ${tenantId} and webhook_id = webhooks.id and state = 'waiting'
          limit ${max}
        ) as waiting
      ) as of_endpoint
      where webhooks.tenant_id = ${tenantId}
    ), stored as (
      update delivery_usage set
        waiting = (select coalesce(sum(counted.waiting), 0) from counted),
        waiting_counted_at = now()
      where tenant_id = ${tenantId}
    )
    select id, waiting, bytes from counted`);
  return rows;
}
