import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { notifyConversations } from '../conversations/conversation-changes.ts';

/**
 * Marks sends as `unknown` whose process died before it could store the outcome: they may have been sent. A
 * status callback can still report the outcome.
 *
 * @param olderThanMs longer than any send can take
 * @returns how many sends it marked
 */
export async function settleAbandoned(db: Db, olderThanMs: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with settled as (
      update messages set status = 'unknown'
      where status = 'accepting' and created_at < now() - ${olderThanMs}::float8 * interval '1 ms'
      returning tenant_id, phone
    ), notified as materialized (
      ${notifyConversations(sql`settled`)}
    )
    select count(*) from settled cross join (select count(*) from notified) as notified`);
  return rows[0]!.count;
}
