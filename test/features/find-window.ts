import sql from 'sql-template-tag';
import { windowUntil } from '../../src/messages/conversations/conversation-queries.ts';
import { personOf } from '../../src/messages/conversations/person.ts';
import type { Db } from '../../src/platform/database/database.ts';

/** Finds when the free-text window of a phone at a number ends; null if it never wrote to it. */
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
