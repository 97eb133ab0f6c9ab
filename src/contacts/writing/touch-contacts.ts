import sql from 'sql-template-tag';
import { notifyOfContacts } from '../../messages/conversations/live/conversation-changes.ts';
import type { Db } from '../../platform/database/database.ts';

/**
 * Sets the time of the change of contacts whose labels have changed, so that receivers of events can see which record is
 * newer. Notifies the watchers of their conversations.
 */
export async function touchContacts(tx: Db, tenantId: number, ids: number[]): Promise<void> {
  await tx.query(sql`
    with touched as (
      update contacts set updated_at = now()
      where tenant_id = ${tenantId} and id = any(${ids}::bigint[])
      returning tenant_id, phone, user_id
    ), notified as materialized (
      ${notifyOfContacts(sql`touched`)}
    )
    select count(*) from notified`);
}
