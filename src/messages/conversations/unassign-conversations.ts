import sql from 'sql-template-tag';
import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { notifyConversations } from './live/conversation-changes.ts';

/** Conversations of one statement, so that their next messages do not wait for long. */
const maxAtOnce = 500;

/** Takes all conversations off a member, in small statements. Notifies the watchers. */
export async function unassignConversations(
  db: Database,
  tenantId: number,
  userId: string,
): Promise<void> {
  const unassign = () => unassignSome(db, tenantId, userId, maxAtOnce);
  while ((await retryDeadlock(unassign)) === maxAtOnce);
}

/** @returns how many, up to `limit` */
async function unassignSome(
  db: Db,
  tenantId: number,
  userId: string,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with chosen as materialized (
      select person from conversations
      where tenant_id = ${tenantId} and assignee = ${userId} limit ${limit}
    ), locked as materialized (
      -- All statements lock conversations in this order.
      select conversations.person from chosen
      join conversations on conversations.tenant_id = ${tenantId} and conversations.person = chosen.person
      order by conversations.person for no key update of conversations
    ), unassigned as (
      update conversations set assignee = null from locked
      where tenant_id = ${tenantId} and conversations.person = locked.person and assignee = ${userId}
      returning tenant_id, coalesce(phone, conversations.person) as phone
    ), notified as materialized (
      ${notifyConversations(sql`unassigned`)}
    )
    select count(*)::int from chosen cross join (select count(*) from notified) as notified`);
  return rows[0]!.count;
}
