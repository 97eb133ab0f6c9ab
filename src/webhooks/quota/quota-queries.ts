import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';
import type { FullOf, Recording } from './quota.ts';

/**
 * Sets which of a tenant's events are recorded from now on, unless another process has changed it meanwhile.
 * `none` switches the webhook off.
 *
 * @returns whether it switched the webhook off
 */
export async function setRecording(
  db: Db,
  tenantId: number,
  before: Recording,
  { recording: now, fullOf }: { recording: Recording; fullOf: FullOf | null },
  offReason: string,
): Promise<boolean> {
  const { rows } = await db.query<{ is_switched_off: boolean }>(sql`
    with changed as (
      update webhooks set
        recording = ${now},
        off_reason = case when ${now} = 'none' and ${before} <> 'none' and off_since is null
          then ${offReason} else off_reason end,
        off_since = case when ${now} = 'none' and ${before} <> 'none'
          then coalesce(off_since, now()) else off_since end
      where tenant_id = ${tenantId} and recording = ${before}
      returning tenant_id, off_since, ${notifyTopic('webhook', sql`webhooks.tenant_id`)}
    )
    update delivery_usage set
      full_of = ${fullOf},
      dropped = case when ${before} = 'all' then 0 else dropped end,
      dropped_since = case when ${before} = 'all' then now() else dropped_since end,
      dropped_until = case when ${now} = 'all' then now() end
    from changed where delivery_usage.tenant_id = changed.tenant_id
    returning coalesce(changed.off_since = now(), false) as is_switched_off`);
  return rows[0]?.is_switched_off ?? false;
}

/** Adds events that were dropped to the counts of their tenants. */
export async function addDroppedReads(db: Db, counts: Map<number, number>): Promise<void> {
  const inOrder = [...counts].toSorted(([a], [b]) => a - b);
  await db.query(
    statement(
      'add-dropped-reads',
      sql`
        update delivery_usage set dropped = delivery_usage.dropped + counted.events
        from ${rowsOf('counted', inOrder, {
          tenant_id: ['bigint', ([tenantId]) => tenantId],
          events: ['bigint', ([, events]) => events],
        })}
        where delivery_usage.tenant_id = counted.tenant_id`,
    ),
  );
}

export type QuotaRow = {
  is_on: boolean;
  recording: Recording;
  full_of: FullOf | null;
  dropped: number;
  dropped_since: Date | null;
  dropped_until: Date | null;
};

/** Finds the state of a tenant's quota; undefined until its webhook has been measured. */
export async function findQuota(db: Db, tenantId: number): Promise<QuotaRow | undefined> {
  const { rows } = await db.query<QuotaRow>(sql`
    select off_since is null as is_on, recording, full_of, dropped, dropped_since, dropped_until
    from webhooks join delivery_usage using (tenant_id)
    where tenant_id = ${tenantId}`);
  return rows[0];
}

/** Lists the webhooks whose quota is full, with the slug of their tenant. */
export async function listFullQuotas(db: Db): Promise<(QuotaRow & { tenant: string })[]> {
  const { rows } = await db.query<QuotaRow & { tenant: string }>(sql`
    select tenants.slug as tenant, off_since is null as is_on, recording, full_of, dropped,
           dropped_since, dropped_until
    from webhooks
    join delivery_usage using (tenant_id)
    join tenants on tenants.id = tenant_id
    where recording <> 'all'
    order by tenants.slug`);
  return rows;
}

/**
 * Deletes the finished ones among the next deliveries of a tenant, and stores where it ended.
 *
 * @param range ids above `after`, up to and including `upTo`. All of them must be measured.
 * @returns the freed bytes, and the id at which it ended: 0 at the last delivery
 */
export async function trimNext(
  db: Db,
  tenantId: number,
  range: { after: number; upTo: number },
  limit: number,
): Promise<{ freed_bytes: number; trimmed_id: number }> {
  const { rows } = await db.query<{ freed_bytes: number; trimmed_id: number }>(sql`
    with seen as materialized (
      select id, state from deliveries
      where tenant_id = ${tenantId} and id > ${range.after} and id <= ${range.upTo}
      order by id limit ${limit}
    ), chosen as (
      select id from deliveries
      where tenant_id = ${tenantId}
        and id = any(array(select id from seen where state <> 'waiting'))
        and state <> 'waiting'
      order by id
      for update skip locked
    ), gone as (
      delete from deliveries
      where tenant_id = ${tenantId} and id in (select id from chosen)
      returning octet_length(body) as bytes
    ), total as (
      select (select coalesce(sum(bytes), 0)::bigint from gone) as freed_bytes,
             case when count(*) < ${limit} then 0 else max(id) end as up_to
      from seen
    )
    update delivery_usage set
      kept_bytes = greatest(0, kept_bytes - freed_bytes),
      trimmed_id = up_to
    from total where tenant_id = ${tenantId}
    returning freed_bytes, trimmed_id`);
  return rows[0] ?? { freed_bytes: 0, trimmed_id: 0 };
}
