import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';
import type { Endpoint } from '../endpoint-key.ts';
import type { FullOf, Recording } from './quota.ts';

/**
 * Sets which events of an endpoint are recorded from now on, unless another process has changed it meanwhile.
 * `none` switches the endpoint off.
 *
 * @returns whether it switched the endpoint off
 */
export async function setRecording(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  before: Recording,
  { recording: now, fullOf }: { recording: Recording; fullOf: FullOf | null },
  offReason: Fault,
): Promise<boolean> {
  const { rows } = await db.query<{ is_switched_off: boolean }>(sql`
    update webhooks set
      recording = ${now},
      full_of = ${fullOf},
      dropped = case when ${before} = 'all' then 0 else dropped end,
      dropped_since = case when ${before} = 'all' then now() else dropped_since end,
      dropped_until = case when ${now} = 'all' then now() end,
      off_reason = case when ${now} = 'none' and ${before} <> 'none' and off_since is null
        then ${offReason.text} else off_reason end,
      off_says = case when ${now} = 'none' and ${before} <> 'none' and off_since is null
        then ${JSON.stringify(offReason)}::jsonb else off_says end,
      off_since = case when ${now} = 'none' and ${before} <> 'none'
        then coalesce(off_since, now()) else off_since end
    where tenant_id = ${tenantId} and id = ${webhookId} and recording = ${before}
    returning coalesce(off_since = now(), false) as is_switched_off,
              ${notifyTopic('webhook', sql`webhooks.tenant_id`)}`);
  return rows[0]?.is_switched_off ?? false;
}

/**
 * Adds events that were dropped to the counts of the endpoints of their tenants: those that want reads, and whose
 * quota is full or was a moment ago.
 */
export async function addDroppedReads(db: Db, counts: Map<number, number>): Promise<void> {
  const inOrder = [...counts].toSorted(([a], [b]) => a - b);
  await db.query(
    statement(
      'add-dropped-reads',
      sql`
        update webhooks set dropped = webhooks.dropped + counted.events
        from ${rowsOf('counted', inOrder, {
          tenant_id: ['bigint', ([tenantId]) => tenantId],
          events: ['bigint', ([, events]) => events],
        })}
        where webhooks.tenant_id = counted.tenant_id
          and (webhooks.events && '{contact.read,contact.*}') is not false
          and (webhooks.recording <> 'all' or webhooks.dropped_until > now() - interval '1 minute')`,
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
  /** How many share the quota. */
  endpoints: number;
};

const columns = sql`off_since is null as is_on, recording, full_of, dropped, dropped_since, dropped_until, (
  select count(*)::int from webhooks as sharing where sharing.tenant_id = webhooks.tenant_id
) as endpoints`;

/** Finds the state of an endpoint's quota. */
export async function findQuota(
  db: Db,
  { tenantId, webhookId }: Endpoint,
): Promise<QuotaRow | undefined> {
  const { rows } = await db.query<QuotaRow>(sql`
    select ${columns} from webhooks where tenant_id = ${tenantId} and id = ${webhookId}`);
  return rows[0];
}

/** Lists the endpoints whose quota is full, with the slug of their tenant. Copies of moved tenants do not count. */
export async function listFullQuotas(
  db: Db,
): Promise<(QuotaRow & { tenant: string; endpoint: string })[]> {
  const { rows } = await db.query<QuotaRow & { tenant: string; endpoint: string }>(sql`
    select tenants.slug as tenant, webhooks.name as endpoint, ${columns}
    from webhooks
    join tenants on tenants.id = tenant_id
    where recording <> 'all' and not ${isHeld(sql`webhooks.tenant_id`)}
    order by tenants.slug, webhooks.id`);
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
