import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';
import type { NumberFault } from './check.ts';

export const toWatchers: Sql = notifyTopic('numbers', sql`numbers.tenant_id`);

/** Finds the number of a tenant with a callback id, also a disconnected one. */
export async function findOwnCallback(
  db: Db,
  tenantId: number,
  callbackId: string,
): Promise<{ is_connected: boolean } | undefined> {
  const { rows } = await db.query<{ is_connected: boolean }>(sql`
    select disconnected_at is null as is_connected from numbers
    where tenant_id = ${tenantId} and callback_id = ${callbackId}`);
  return rows[0];
}

/** SQL of the faults of a row of `numbers` from reports of failed messages: at most one. */
export const failures: Sql = sql`jsonb_path_query_array(numbers.faults, '$[*] ? (@.name == "failures")')`;
/** SQL of its other faults. */
export const otherFaults: Sql = sql`jsonb_path_query_array(numbers.faults, '$[*] ? (@.name != "failures")')`;

/** Stores what a check found wrong, and when the access token ends. Reports of failed messages stay unless `forgetFailures` is true. */
export async function storeFaults(
  db: Db,
  tenantId: number,
  id: number,
  {
    faults,
    tokenExpiresAt,
    forgetFailures,
  }: { faults: NumberFault[]; tokenExpiresAt: string | null; forgetFailures: boolean },
): Promise<void> {
  await db.query(sql`
    update numbers set checked_at = now(), token_expires_at = ${tokenExpiresAt}::timestamptz, faults = ${JSON.stringify(faults)}::jsonb ||
      case when ${forgetFailures} then '[]' else ${failures} end
    where tenant_id = ${tenantId} and id = ${id}
    returning ${toWatchers}`);
}

/**
 * Claims a number of any tenant whose check is due, and schedules its next check. Copies of tenants that serve in
 * another cell are not checked.
 *
 * @param everySeconds until the next check
 */
export async function claimDueCheck(
  db: Db,
  everySeconds: number,
): Promise<{ tenant_id: number; id: number } | undefined> {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    with due as materialized (
      select tenant_id, id from numbers
      where check_due_at <= now() and disconnected_at is null and not ${isHeld(sql`numbers.tenant_id`)}
      order by check_due_at limit 1 for update skip locked
    ), late as materialized (
      -- Later than any check is scheduled: the clock was ahead.
      select tenant_id, id from numbers
      where not exists (select from due)
        and check_due_at > now() + 2 * ${everySeconds}::float8 * interval '1 second'
        and disconnected_at is null and not ${isHeld(sql`numbers.tenant_id`)}
      order by check_due_at desc limit 1 for update skip locked
    )
    update numbers set check_due_at = now() + ${everySeconds}::float8 * interval '1 second'
    from (select * from due union all select * from late) as claimed
    where numbers.tenant_id = claimed.tenant_id and numbers.id = claimed.id
    returning numbers.tenant_id, numbers.id`);
  return rows[0];
}

/** Makes the next check of a number due earlier, after one that could not be completed. */
export async function scheduleCheck(
  db: Db,
  tenantId: number,
  id: number,
  seconds: number,
): Promise<void> {
  await db.query(sql`
    update numbers set check_due_at = now() + ${seconds}::float8 * interval '1 second'
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** Lists connected numbers of all tenants, those first whose last check is the longest ago. */
export async function listToCheck(
  db: Db,
  max: number,
): Promise<{ tenant_id: number; id: number }[]> {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    select tenant_id, id from numbers where disconnected_at is null
    order by checked_at nulls first limit ${max}`);
  return rows;
}

/** Records that the network reported something about a number, and whether it was a message. */
export async function storeHeard(
  db: Db,
  tenantId: number,
  id: number,
  isMessage: boolean,
): Promise<void> {
  await db.query(sql`
    update numbers set heard_at = now(), unheard_since = null,
      received_at = case when ${isMessage} then coalesce(received_at, now()) else received_at end
    where tenant_id = ${tenantId} and id = ${id}
    returning ${toWatchers}`);
}

/** Records that a number has sent, unless something was heard less than a minute ago. */
export async function storeUnheard(db: Db, tenantId: number, id: number): Promise<void> {
  await db.query(sql`
    update numbers set unheard_since = now()
    where tenant_id = ${tenantId} and id = ${id} and unheard_since is null
      and coalesce(heard_at < now() - interval '1 minute', true)`);
}
