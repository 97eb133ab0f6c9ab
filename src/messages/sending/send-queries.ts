import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { prepared } from '../../platform/database/prepared.ts';
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
  const steps = completedSteps(completed, clockOffsetMs);
  await db.query(
    refunds
      ? prepared(
          'end-and-give-back-sends',
          sql`with ${steps}, ${givenBack} select count(*) from told`,
        )
      : prepared('end-sends', sql`with ${steps} select count(*) from told`),
  );
}

/**
 * `completed`, the messages with what the network answered, and `told`, those that somebody watches
 * (docs/decisions/0018). A callback may have come first: what it said stays where it says more. In the
 * order of tenant and id, in which every statement locks.
 */
export function completedSteps(completed: Completion[], clockOffsetMs: number): Sql {
  const at = moment(clockOffsetMs);
  const ends = completed.toSorted((a, b) => a.tenantId - b.tenantId || a.id - b.id);
  return sql`
    completed as (
      update messages set
        status = greatest(messages.status, done.status),
        network_id = coalesce(messages.network_id, done.network_id),
        error = coalesce(messages.error, done.error),
        sent_at = case when done.status = 'sent' then least(sent_at, ${at}) else sent_at end,
        failed_at = case when done.status = 'failed' then coalesce(failed_at, ${at}) else failed_at end
      from unnest(${ends.map((each) => each.tenantId)}::bigint[],
                  ${ends.map((each) => each.id)}::bigint[],
                  ${ends.map((each) => each.status)}::message_status[],
                  ${ends.map((each) => each.networkId)}::text[],
                  ${ends.map((each) => each.error && JSON.stringify(each.error))}::jsonb[],
                  ${ends.map((each) => each.refunded)}::boolean[])
        as done (tenant_id, id, status, network_id, error, refunded)
      where messages.tenant_id = done.tenant_id and messages.id = done.id
      returning messages.tenant_id, token_id, phone, created_at, refunded
    ), told as (
      select pg_notify('conversation', completed.tenant_id || ' ' || phone)
      from completed join conversation_watches on conversation_watches.tenant_id = completed.tenant_id
      where until > now()
    )`;
}

const givenBack = sql`
  given_back as (
    update token_days set messages = token_days.messages - refused.messages
    from (
      select tenant_id, token_id, (created_at at time zone 'utc')::date as day, count(*) as messages
      from completed where refunded and token_id is not null
      group by 1, 2, 3 order by 1, 2, 3
    ) as refused
    where token_days.tenant_id = refused.tenant_id and token_days.token_id = refused.token_id
      and token_days.day = refused.day
  )`;

/** Completes one send in a transaction with something else, as `Database.batched` would run it. */
export async function completeWithin(
  tx: Db,
  completion: Completion,
  clockOffsetMs: number,
): Promise<void> {
  await tx.query(sql`set local enable_seqscan = off`);
  await completeMessages(tx, [completion], clockOffsetMs);
}

/** The message that a run wrote down. */
export async function findMessageOfRun(
  db: Db,
  tenantId: number,
  runId: number,
): Promise<Pick<MessageRow, 'phone' | 'status' | 'network_id'> | undefined> {
  const { rows } = await db.query<Pick<MessageRow, 'phone' | 'status' | 'network_id'>>(sql`
    select phone, status, network_id from messages
    where tenant_id = ${tenantId} and run_id = ${runId}`);
  return rows[0];
}
