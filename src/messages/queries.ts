import sql, { type Sql } from 'sql-template-tag';
import { type Db, prepared } from '../platform/database.ts';
import { notifyConversations } from './conversations/conversation-changes.ts';

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
 * Completes many sends in one statement. A callback may have come first: what it said stays where
 * it says more.
 */
export async function completeMessages(
  db: Db,
  completed: Completion[],
  clockOffsetMs: number,
): Promise<void> {
  await db.query(
    prepared(
      'complete-messages',
      sql`
        select complete_messages(
          now() + ${clockOffsetMs}::float8 * interval '1 ms', ${completionArrays(completed)})`,
    ),
  );
}

/** The arrays that the functions of migration 0017 take of completions. */
export function completionArrays(completed: Completion[]): Sql {
  const done = completed.toSorted((a, b) => a.tenantId - b.tenantId || a.id - b.id);
  return sql`
    ${done.map((each) => each.tenantId)}, ${done.map((each) => each.id)},
    ${done.map((each) => each.status)}, ${done.map((each) => each.networkId)},
    ${done.map((each) => each.error && JSON.stringify(each.error))},
    ${done.map((each) => each.refunded)}`;
}

/** For a batched statement in a transaction of its own: see `Database.batched`. */
export async function useIndexes(tx: Db): Promise<void> {
  await tx.query(sql`set local enable_seqscan = off`);
}

/** A status that the network reported of one message, with our id where the callback bore it. */
export type ReportedStatus = {
  tenantId: number;
  id: number | null;
  networkId: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  at: Date;
  error: object | null;
};

/**
 * Applies many reported statuses in one statement; repeats, disorder and several of one message in
 * one batch end the same. A message is found by our own id, else by the network's.
 */
export async function applyStatuses(db: Db, reported: ReportedStatus[]): Promise<void> {
  await db.query(
    prepared(
      'apply-statuses',
      sql`
        with reported as (
          select tenant_id, network_id, status, at, error,
                 coalesce(id, (select m.id from messages m
                               where m.tenant_id = reported.tenant_id
                                 and m.network_id = reported.network_id)) as id
          from unnest(${reported.map((each) => each.tenantId)}::bigint[],
                      ${reported.map((each) => each.id)}::bigint[],
                      ${reported.map((each) => each.networkId)}::text[],
                      ${reported.map((each) => each.status)}::text[],
                      ${reported.map((each) => each.at.toISOString())}::timestamptz[],
                      ${reported.map((each) => each.error && JSON.stringify(each.error))}::text[])
               as reported (tenant_id, id, network_id, status, at, error)
        ), gathered as (
          select tenant_id, id, network_id,
                 min(at) filter (where status = 'sent') as sent_at,
                 min(at) filter (where status = 'delivered') as delivered_at,
                 min(at) filter (where status = 'read') as read_at,
                 min(at) filter (where status = 'failed') as failed_at,
                 min(error) as error
          from reported where id is not null
          -- Another service with the same number may have given its message the same reference.
          group by tenant_id, id, network_id order by tenant_id, id
        ), updated as (
          update messages set
          network_id = coalesce(messages.network_id, gathered.network_id),
          sent_at = least(messages.sent_at, gathered.sent_at),
          delivered_at = least(messages.delivered_at, gathered.delivered_at),
          read_at = least(messages.read_at, gathered.read_at),
          failed_at = least(messages.failed_at, gathered.failed_at),
          error = coalesce(messages.error, gathered.error::jsonb),
          status = further_status(messages.status, case
            when gathered.read_at is not null then 'read'
            when gathered.delivered_at is not null then 'delivered'
            when gathered.failed_at is not null then 'failed'
            else 'sent' end)
        from gathered
        where messages.tenant_id = gathered.tenant_id and messages.id = gathered.id
          and messages.direction = 'out'
          and coalesce(messages.network_id, gathered.network_id) = gathered.network_id
          returning messages.tenant_id, messages.phone
        )
        ${notifyConversations(sql`updated`)}`,
    ),
  );
}

/** Of the table `messages`: those that were not deleted with their contact. */
export const notErased: Sql = sql`not exists (
  select from conversation_removals as removal
  where removal.tenant_id = messages.tenant_id and removal.phone = messages.phone
    and messages.id <= removal.up_to_id)`;

export type MessageRow = {
  id: number;
  network_id: string;
  direction: 'out' | 'in';
  phone: string;
  kind: string;
  status: 'accepting' | 'unknown' | 'sent' | 'failed' | 'delivered' | 'read' | 'received';
  error: { code: number | null; title: string; details: string | null } | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
};

/** An outbound message by the network's identifier. */
export async function findMessage(
  db: Db,
  tenantId: number,
  networkId: string,
): Promise<MessageRow | undefined> {
  const { rows } = await db.query<MessageRow>(
    prepared(
      'find-message',
      sql`
        select id, network_id, direction, phone, kind, status, error, created_at,
               sent_at, delivered_at, read_at, failed_at
        from messages
        where tenant_id = ${tenantId} and network_id = ${networkId} and direction = 'out'
          and ${notErased}`,
    ),
  );
  return rows[0];
}

/** The message that a run wrote down. */
export async function findMessageOfRun(
  db: Db,
  tenantId: number,
  runId: number,
): Promise<(Pick<MessageRow, 'phone' | 'status'> & { network_id: string | null }) | undefined> {
  const { rows } = await db.query<Pick<MessageRow, 'phone' | 'status' | 'network_id'>>(sql`
    select phone, status, network_id from messages
    where tenant_id = ${tenantId} and run_id = ${runId}`);
  return rows[0];
}

/**
 * Sends whose process died or was cut off before it could write down the outcome: nobody here
 * knows whether they were sent. A callback of the network can still tell.
 *
 * @param olderThanMs longer than any send can take
 * @returns how many there were
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
    select count(*) from settled cross join (select count(*) as told from notified) as notified`);
  return rows[0]!.count;
}
