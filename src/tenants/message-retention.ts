import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import type { Tenant } from './queries.ts';

/**
 * Builds how many days the messages of the row of `tenants` are kept: the time of the tenant or that of the setting,
 * whichever is shorter. Null if they are kept as long as their contact.
 *
 * @param setting `messageRetentionDays`; 0 for none
 */
export function daysOfMessages(setting: number): Sql {
  return sql`least(nullif(${setting}::int, 0), tenants.message_retention_days)`;
}

/**
 * Sets how many days the messages of a tenant are kept, if that is shorter than the setting.
 *
 * @param days null for the setting
 */
export async function updateMessageRetention(
  db: Db,
  tenantId: number,
  days: number | null,
): Promise<Tenant | undefined> {
  const { rows } = await db.query<Tenant>(sql`
    update tenants set message_retention_days = ${days} where id = ${tenantId} returning *`);
  return rows[0];
}
