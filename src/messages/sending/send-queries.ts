import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { type Rows, rowOf, rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { MessageRow } from '../queries.ts';

/** How a send ended, to be written beside what was written down before. */
export type Completion = {
  tenantId: number;
  id: number;
  status: 'sent' | 'failed' | 'unknown';
  networkId: string | null;
  error: object | null;
  /** The network refused it, so the token's day gets it back. */
  refunded: boolean;
};

type Ends = { completed: Completion[]; clockOffsetMs: number };

const endSends = statement<Ends>('end-sends', ({ completed, clockOffsetMs }) =>
  completedMessages(rowsOf(completed), moment(clockOffsetMs)),
);

const endLoneSend = statement<Ends>('end-lone-send', ({ completed, clockOffsetMs }) =>
  completedMessages(rowOf(completed.as(([only]) => only!)), moment(clockOffsetMs)),
);

const endAndGiveBackSends = statement<Ends>(
  'end-and-give-back-sends',
  ({ completed, clockOffsetMs }) => sql`
    with completed as (
      ${completedMessages(rowsOf(completed), moment(clockOffsetMs))},
        messages.tenant_id, token_id, created_at, refunded
    )
    update token_days set messages = token_days.messages - refused.messages
    from (
      select tenant_id, token_id, (created_at at time zone 'utc')::date as day, count(*) as messages
      from completed where refunded and token_id is not null
      group by 1, 2, 3 order by 1, 2, 3
    ) as refused
    where token_days.tenant_id = refused.tenant_id and token_days.token_id = refused.token_id
      and token_days.day = refused.day`,
);

/**
 * Completes many sends in one statement, and gives those that the network refused back to the days of
 * their tokens.
 */
export async function completeMessages(
  db: Db,
  completed: Completion[],
  clockOffsetMs: number,
): Promise<void> {
  const refunds = completed.some(({ refunded }) => refunded);
  const end = refunds ? endAndGiveBackSends : completed.length === 1 ? endLoneSend : endSends;
  await db.query(end({ completed: inOrder(completed), clockOffsetMs }));
}

/** Of tenant and id, in which every statement locks. */
export function inOrder(completed: Completion[]): Completion[] {
  return completed.toSorted((a, b) => a.tenantId - b.tenantId || a.id - b.id);
}

/**
 * Completes messages with what the network answered, and tells whoever watches them (docs/decisions/0018). A
 * callback may have come first: what it said stays where it says more. What it returns is worked out in any case,
 * also where nobody reads it, and so is the telling.
 *
 * @param ends `inOrder`
 */
export function completedMessages(ends: Rows<Completion>, at: Sql): Sql {
  const done = ends('done', {
    tenant_id: ['bigint', ({ tenantId }) => tenantId],
    id: ['bigint', ({ id }) => id],
    status: ['message_status', ({ status }) => status],
    network_id: ['text', ({ networkId }) => networkId],
    error: ['jsonb', ({ error }) => error && JSON.stringify(error)],
    refunded: ['boolean', ({ refunded }) => refunded],
  });
  return sql`
    update messages set
      status = greatest(messages.status, done.status),
      network_id = coalesce(messages.network_id, done.network_id),
      error = coalesce(messages.error, done.error),
      sent_at = case when done.status = 'sent' then least(sent_at, ${at}) else sent_at end,
      failed_at = case when done.status = 'failed' then coalesce(failed_at, ${at}) else failed_at end
    from ${done}
    where messages.tenant_id = done.tenant_id and messages.id = done.id
    returning (
      select pg_notify('conversation', messages.tenant_id || ' ' || phone)
      from conversation_watches
      where conversation_watches.tenant_id = messages.tenant_id and until > now()
    ) as told`;
}

/** Completes one send in a transaction with something else, as `Database.batched` would run it. */
export async function completeWithin(
  tx: Db,
  completion: Completion,
  clockOffsetMs: number,
): Promise<void> {
  await tx.query(sql`set local enable_seqscan = off`);
  await completeMessages(tx, [completion], clockOffsetMs);
}

type MessageOfRun = Pick<
  MessageRow,
  'id' | 'phone' | 'kind' | 'status' | 'network_id' | 'error' | 'sent_at'
> & { age_ms: number };

/** The message that a run wrote down. */
export async function findMessageOfRun(
  db: Db,
  tenantId: number,
  runId: number,
  clockOffsetMs: number,
): Promise<MessageOfRun | undefined> {
  const { rows } = await db.query<MessageOfRun>(sql`
    select id, phone, kind, status, network_id, error, sent_at,
           (1000 * extract(epoch from ${moment(clockOffsetMs)} - created_at))::float8 as age_ms
    from messages
    where tenant_id = ${tenantId} and run_id = ${runId}`);
  return rows[0];
}
