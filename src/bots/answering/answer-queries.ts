import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { FairClaim } from '../../platform/jobs/claim-fairly.ts';
import { fewestInFlightFirst, queueHeads } from '../../platform/jobs/queue-heads.ts';
import type { Queue } from '../../platform/jobs/renew-leases.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';

/**
 * - waiting: not processed yet, or to be retried
 * - sent: the network accepted the answer
 * - skipped: a bot matched but did not answer, for the given reason
 * - failed: the answer was not sent
 * - unknown: the network's response was lost, so the answer may have been sent, and is never sent again
 */
export type AnswerState = 'waiting' | 'sent' | 'skipped' | 'failed' | 'unknown';

/** An inbound message that this process has claimed. */
export type ClaimedAnswer = {
  tenant_id: number;
  inbound_id: number;
  phone: string;
  /** The number of attempts so far, including this one. */
  attempts: number;
  /** The answer that an earlier attempt stored. */
  message_id: number | null;
};

export const answerQueue: Queue<ClaimedAnswer> = { table: 'bot_answers', key: ['inbound_id'] };

/**
 * Claims due inbound messages, up to `maxPerTenant` of each tenant, and only the oldest of each phone, so that answers
 * have the order of the messages. If there is not room for all, the tenants with the fewest claimed messages come
 * first. If this process dies, the messages are due again when the lease expires.
 */
export async function claimAnswers(
  db: Db,
  { inFlight, maxPerTenant, limit, leaseMs }: FairClaim,
): Promise<ClaimedAnswer[]> {
  const { rows } = await db.query<ClaimedAnswer>(
    statement(
      'claim-answers',
      sql`
        with recursive unflushed as materialized (
          -- A claim need not survive a crash of the database.
          select set_config('synchronous_commit', 'off', true)
        ), ${queueHeads('bot_answers', sql`due_at is not null`)}, due as (
          select next.*
          from unflushed
          cross join lateral ${fewestInFlightFirst(inFlight)} as tenant
          cross join lateral (
            select tenant_id, inbound_id from bot_answers as candidate
            where tenant_id = tenant.tenant_id and due_at <= now()
              and not exists (
                select from bot_answers as earlier
                where earlier.tenant_id = candidate.tenant_id and earlier.phone = candidate.phone
                  and earlier.due_at is not null and earlier.inbound_id < candidate.inbound_id)
            order by due_at, inbound_id
            limit greatest(0, ${maxPerTenant}::int - tenant.in_flight)
            for no key update skip locked
          ) as next
          limit ${limit}
        )
        update bot_answers
        set due_at = now() + ${leaseMs}::float8 * interval '1 ms', attempts = attempts + 1
        from due
        where bot_answers.tenant_id = due.tenant_id and bot_answers.inbound_id = due.inbound_id
        returning bot_answers.tenant_id, bot_answers.inbound_id, bot_answers.phone,
                  bot_answers.attempts, bot_answers.message_id`,
    ),
  );
  return rows;
}

/** The answers that a phone got within the last 24 hours. */
export type RecentAnswers = {
  in_a_minute: number;
  in_a_day: number;
  /** The bots that have answered it and whose pause is not over. */
  paused_bots: number[];
};

export async function findRecentAnswers(
  db: Db,
  tenantId: number,
  phone: string,
): Promise<RecentAnswers> {
  const { rows } = await db.query<RecentAnswers>(
    statement(
      'find-recent-answers',
      sql`
        select count(*) filter (where answered_at > now() - interval '1 minute')::int as in_a_minute,
               count(*)::int as in_a_day,
               coalesce(json_agg(bots.id) filter (
                 where answer.state in ('sent', 'unknown')
                   and answered_at > now() - pause_minutes * interval '1 minute'), '[]') as paused_bots
        from bot_answers as answer
        left join bots on bots.tenant_id = answer.tenant_id and bots.id = answer.bot_id
        where answer.tenant_id = ${tenantId} and phone = ${phone} and message_id is not null
          and answered_at > now() - interval '24 hours'
          -- Rows further in the future are from before the clock was set back.
          and answered_at < now() + interval '1 minute'`,
    ),
  );
  return rows[0]!;
}

/**
 * Links an answer to the inbound message, in the transaction that stores the answer.
 *
 * @returns false if another process has claimed the message, or it was deleted
 */
export async function linkAnswer(
  tx: Db,
  claimed: ClaimedAnswer,
  { messageId, bot }: { messageId: number; bot: { id: number; name: string } },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    statement(
      'link-answer',
      sql`
        update bot_answers
        set message_id = ${messageId}, bot_id = ${bot.id}, bot_name = ${bot.name},
            answered_at = now()
        where tenant_id = ${claimed.tenant_id} and inbound_id = ${claimed.inbound_id}
          and attempts = ${claimed.attempts}`,
    ),
  );
  return rowCount === 1;
}

/** The result of one attempt to answer a message. */
export type Settlement = {
  state: AnswerState;
  reason: Fault | null;
  /** null leaves the bot that was chosen before. */
  bot: { id: number; name: string } | null;
  /** null if there is no further attempt. */
  retryInMs: number | null;
};

export async function settleAnswer(
  db: Db,
  claimed: ClaimedAnswer,
  { state, reason, bot, retryInMs }: Settlement,
): Promise<void> {
  await db.query(
    statement(
      'settle-answer',
      sql`
        update bot_answers set
          state = ${state},
          reason = ${reason?.text ?? null},
          reason_says = ${reason && JSON.stringify(reason)},
          bot_id = coalesce(${bot?.id ?? null}::bigint, bot_id),
          bot_name = coalesce(${bot?.name ?? null}::text, bot_name),
          settled_at = now(),
          due_at = now() + ${retryInMs}::float8 * interval '1 ms'
        where tenant_id = ${claimed.tenant_id} and inbound_id = ${claimed.inbound_id}
          and attempts = ${claimed.attempts}
        returning ${notifyTopic('answers', sql`bot_answers.tenant_id`)}`,
    ),
  );
}

/** Removes a message that no bot matches from the queue. This is the common case and leaves no row. */
export async function dropAnswer(db: Db, claimed: ClaimedAnswer): Promise<void> {
  await db.query(
    statement(
      'drop-answer',
      sql`
        delete from bot_answers
        where tenant_id = ${claimed.tenant_id} and inbound_id = ${claimed.inbound_id}
          and attempts = ${claimed.attempts} and message_id is null`,
    ),
  );
}
