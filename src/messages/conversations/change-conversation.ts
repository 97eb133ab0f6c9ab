import sql from 'sql-template-tag';
import type { Database } from '../../platform/database/database.ts';
import { invalid, notFound } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { notifyConversations } from './live/conversation-changes.ts';
import { personOf } from './person.ts';

/**
 * Marks a conversation as read, opens or closes it, or assigns it to a member. Notifies the watchers.
 *
 * @param change `assignee` is the account of a member, or null for nobody
 * @throws ApiError 404 if the phone has no conversation; 422 if `assignee` is no member of the tenant
 */
export async function changeConversation(
  db: Database,
  tenantId: number,
  phone: string,
  { read, is_open, assignee }: { read?: true; is_open?: boolean; assignee?: string | null },
): Promise<void> {
  const { rows } = await db
    .query<{ count: number }>(
      sql`
        with changed as (
          update conversations set
            unread = case when ${read === true} then 0 else unread end,
            is_open = coalesce(${is_open ?? null}, is_open),
            is_taken = ${is_open !== false} and (is_taken or ${is_open === true || typeof assignee === 'string'}),
            assignee = case when ${assignee === undefined} then assignee else ${assignee ?? null} end
          where tenant_id = ${tenantId} and person = ${personOf(tenantId, phone)}
            and last_message_id is not null
          returning tenant_id, coalesce(phone, person) as phone
        ), notified as materialized (
          ${notifyConversations(sql`changed`)}
        )
        select count(*)::int from changed cross join (select count(*) from notified) as notified`,
    )
    .catch((error) => {
      throw error.constraint === 'conversations_tenant_id_assignee_fkey'
        ? invalid({ assignee: [fault('not_a_member', 'is not a member of this business')] }, error)
        : error;
    });
  if (rows[0]!.count === 0) throw notFound();
}
