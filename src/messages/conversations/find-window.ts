import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { windowUntil } from './conversation-queries.ts';
import { personOf } from './person.ts';

/**
 * Finds when the free-text window of a phone at a number ends: 24 hours after the phone's last message to that
 * number. Returns null if it never wrote to it.
 */
export async function findWindow(
  db: Db,
  tenantId: number,
  phone: string,
  numberId: number,
): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>(
    sql`select ${windowUntil(tenantId, personOf(tenantId, phone), numberId)} as until`,
  );
  return rows[0]?.until ?? null;
}
