import sql, { type Sql } from 'sql-template-tag';

/**
 * Builds how many days the messages of the row of `tenants` are kept: the time of the tenant or that of the setting,
 * whichever is shorter. Null if they are kept as long as their contact.
 *
 * @param setting `messageRetentionDays`; 0 for none
 */
export function daysOfMessages(setting: number): Sql {
  return sql`least(nullif(${setting}::int, 0), tenants.message_retention_days)`;
}
