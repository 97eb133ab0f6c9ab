import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { firstOfEach } from '../platform/database/first-of-each.ts';
import { isCopied } from '../platform/jobs/is-held.ts';
import { daysOfMessages } from '../tenants/message-retention.ts';

/** After how many days requests are deleted; `messageDays` is `messageRetentionDays`, 0 for none. */
type Limits = { olderThanDays: number; messageDays: number };

/**
 * Whether a request of the row of `tenants` is too old, or was logged while the clock was ahead, and would hold up those
 * behind it.
 */
const isOld = (at: Sql, { olderThanDays, messageDays }: Limits): Sql => sql`
  (${at} < now() - least(${olderThanDays}::int, ${daysOfMessages(messageDays)}) * interval '1 day'
    or ${at} > now() + interval '1 day')`;

/** Lists the tenants with requests that are too old and may be deleted now. */
export async function listTenantsWithOldRequests(db: Db, limits: Limits): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    with recursive ${firstOfEach('api_requests', { order: 'id', column: 'at' })}
    select tenant_id from firsts join tenants on tenants.id = firsts.tenant_id
    where ${isOld(sql`firsts.at`, limits)} and not ${isCopied(sql`firsts.tenant_id`)}`);
  return rows.map(({ tenant_id: id }) => id);
}

/**
 * Deletes the oldest requests of a tenant that are too old.
 *
 * @returns how many; less than `limit` if there are no more
 */
export async function deleteOldRequests(
  db: Db,
  tenantId: number,
  limits: Limits,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    with oldest as materialized (
      select id, at from api_requests where tenant_id = ${tenantId} order by id limit ${limit}
    )
    delete from api_requests using oldest, tenants
    where api_requests.tenant_id = ${tenantId} and api_requests.id = oldest.id
      and tenants.id = ${tenantId} and ${isOld(sql`oldest.at`, limits)}`);
  return rowCount ?? 0;
}
