import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { windowUntil } from './conversation-queries.ts';
import { personOf } from './person.ts';

/**
 * Finds when the free-text window of a phone ends: 24 hours after its last message. Returns null if it
 * never wrote.
 */
export async function findWindow(db: Db, tenantId: number, phone: string): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>(
    sql`select ${windowUntil(tenantId, personOf(tenantId, phone))} as until`,
  );
  return rows[0]?.until ?? null;
}
