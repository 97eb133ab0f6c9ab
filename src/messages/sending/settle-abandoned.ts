import sql, { type Sql } from 'sql-template-tag';
import type { Database, Db } from '../../platform/database/database.ts';
import { notifyConversations } from '../conversations/live/conversation-changes.ts';
import { phoneOfMessage } from '../conversations/person.ts';
import { walkMessages } from '../walk-messages.ts';

/**
 * Marks sends as `unknown` whose process died before it could store the outcome: they may have been sent. A
 * status callback can still report the outcome.
 *
 * @param olderThanMs longer than any send can take. After this time a send is found within the same time again
 * @returns how many sends it marked
 */
export async function settleAbandoned(
  db: Database,
  olderThanMs: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let count = 0;
  const settle = async (tx: Db, from: number, to: number) => {
    if (to > from) count += await settleBetween(tx, from, to);
  };
  while (!isStopping() && (await walkMessages(db, 'abandoned', olderThanMs, settle)));
  return count;
}

async function settleBetween(tx: Db, from: number, to: number): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(sql`
    with settled as (
      ${storedAsUnknown(sql`id > ${from} and id <= ${to}`)}
      returning tenant_id, message_id
    ), changed as materialized (
      select settled.tenant_id, message_id, ${phoneOfMessage} as phone
      from settled
      join messages on messages.tenant_id = settled.tenant_id and messages.id = message_id
    ), notified as materialized (
      ${notifyConversations(sql`changed`, sql`message_id`)}
    )
    select count(*)::int from settled cross join (select count(*) from notified) as notified`);
  return rows[0]!.count;
}

/**
 * Marks all sends of a tenant without an outcome as `unknown`. Used for a tenant whose processes are in another
 * installation.
 *
 * @param afterId the last message that is known to be settled
 */
export async function settleSends(tx: Db, tenantId: number, afterId = 0): Promise<void> {
  await tx.query(storedAsUnknown(sql`tenant_id = ${tenantId} and id > ${afterId}`));
}

/** A statement that stores the status `unknown` for those sends without a status that meet a condition. */
function storedAsUnknown(condition: Sql): Sql {
  return sql`
    insert into message_states (tenant_id, message_id, created_at, status)
    select tenant_id, id, created_at, 'unknown'
    from messages
    where ${condition} and direction = 'out' and not exists (
      select from message_states as known
      where known.tenant_id = messages.tenant_id and known.message_id = messages.id)
    order by tenant_id, id
    -- An outcome or a callback arrived meanwhile.
    on conflict (tenant_id, message_id) do nothing`;
}
