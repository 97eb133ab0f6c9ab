import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';

/** How a send ended. */
export type Completion = {
  tenantId: number;
  id: number;
  status: 'sent' | 'failed' | 'unknown';
  networkId: string | null;
  error: object | null;
  /** The network refused it, so it is subtracted from the token's day. */
  refunded: boolean;
};

/**
 * Completes many sends in one statement, and subtracts those that the network refused from the days of their
 * tokens.
 */
export async function completeSends(db: Db, completed: Completion[]): Promise<void> {
  const isRefunding = completed.some(({ refunded }) => refunded);
  await db.query(
    isRefunding
      ? statement(
          'end-and-refund-sends',
          sql`
            with completed as (
              ${completedMessages(completed)}, messages.tenant_id, token_id, created_at, refunded
            )
            update token_days set messages = token_days.messages - refused.messages
            from (
              select tenant_id, token_id, (created_at at time zone 'utc')::date as day,
                     count(*) as messages
              from completed where refunded and token_id is not null
              group by 1, 2, 3 order by 1, 2, 3
            ) as refused
            where token_days.tenant_id = refused.tenant_id and token_days.token_id = refused.token_id
              and token_days.day = refused.day`,
        )
      : statement('end-sends', completedMessages(completed)),
  );
}

/**
 * Builds the update that stores how sends ended, and notifies the watchers of their conversations
 * (docs/decisions/0018). If a status callback arrived first, the further status wins. PostgreSQL always
 * evaluates `returning`, so the notification is always sent.
 */
export function completedMessages(completed: Completion[]): Sql {
  // All statements lock messages in this order.
  const inOrder = completed.toSorted((a, b) => a.tenantId - b.tenantId || a.id - b.id);
  return sql`
    update messages set
      status = greatest(messages.status, done.status),
      network_id = coalesce(messages.network_id, done.network_id),
      error = coalesce(messages.error, done.error),
      sent_at = case when done.status = 'sent' then least(sent_at, now()) else sent_at end,
      failed_at = case when done.status = 'failed' then coalesce(failed_at, now()) else failed_at end
    from ${rowsOf('done', inOrder, {
      tenant_id: ['bigint', ({ tenantId }) => tenantId],
      id: ['bigint', ({ id }) => id],
      status: ['message_status', ({ status }) => status],
      network_id: ['text', ({ networkId }) => networkId],
      error: ['jsonb', ({ error }) => error && JSON.stringify(error)],
      refunded: ['boolean', ({ refunded }) => refunded],
    })}
    where messages.tenant_id = done.tenant_id and messages.id = done.id
    returning (
      select pg_notify('conversation', messages.tenant_id || ' ' || phone)
      from conversation_watches
      where conversation_watches.tenant_id = messages.tenant_id and until > now()
    ) as notified`;
}

/** Completes one send within a transaction, with the planner settings of `Database.batched`. */
export async function completeWithin(tx: Db, completion: Completion): Promise<void> {
  await tx.query(sql`set local enable_seqscan = off`);
  await completeSends(tx, [completion]);
}
