import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { AnswerState } from './answer-queries.ts';

export type AnswerRow = {
  /** The id of the inbound message, which has at most one answer. */
  inbound_id: number;
  phone: string;
  /** The stored content of the inbound message. */
  inbound: Record<string, unknown>;
  state: AnswerState;
  reason: string | null;
  reason_says: Fault | null;
  bot_id: number | null;
  bot_name: string | null;
  /** The network's id of the answer, as in the API, and its delivery status. */
  message_id: string | null;
  message_status: string | null;
  created_at: Date;
  settled_at: Date | null;
};

/**
 * Lists the outcomes of inbound messages that a bot matched, the newest first.
 *
 * @param before the inbound id of an entry, to list only older ones
 */
export async function listAnswers(
  db: Db,
  tenantId: number,
  { before, limit }: { before?: number; limit: number },
): Promise<AnswerRow[]> {
  const { rows } = await db.query<AnswerRow>(sql`
    select answer.inbound_id, answer.phone, inbound.content as inbound,
           -- A status callback may report the answer after the response to its send was lost.
           case when settled_later then 'sent' else answer.state end as state,
           case when not settled_later then answer.reason end as reason,
           answer.reason_says,
           answer.bot_id, answer.bot_name,
           message.network_id as message_id, message.status as message_status,
           answer.created_at, answer.settled_at
    from bot_answers as answer
    join messages as inbound
      on inbound.tenant_id = answer.tenant_id and inbound.id = answer.inbound_id
    left join lateral (
      select network_id, coalesce(status, 'accepting') as status
      from messages left join message_states as state
        on state.tenant_id = ${tenantId} and state.message_id = messages.id
      where messages.tenant_id = ${tenantId} and messages.id = answer.message_id
    ) as message on true
    cross join lateral (
      select answer.state = 'unknown' and message.network_id is not null as settled_later
    ) as later
    where answer.tenant_id = ${tenantId}
      and (${before ?? null}::bigint is null or answer.inbound_id < ${before ?? null})
      and not exists (
        select from conversations
        where conversations.tenant_id = inbound.tenant_id and conversations.person = inbound.person
          and inbound.id <= conversations.removed_to)
    order by answer.inbound_id desc limit ${limit}`);
  return rows;
}

/** Deletes up to `limit` settled answers after their retention time. Returns how many. */
export async function pruneAnswers(db: Db, olderThanDays: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from bot_answers
    where (tenant_id, inbound_id) in (
      select tenant_id, inbound_id from bot_answers
      where created_at < now() - ${olderThanDays}::int * interval '1 day' and due_at is null
      order by created_at limit ${limit} for update skip locked)`);
  return rowCount ?? 0;
}
