import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { queueHeads } from '../../platform/database/queue-heads.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';

/**
 * - waiting: not looked at yet, or to be tried again
 * - sent: the network took the answer
 * - skipped: a bot matched but did not answer, for the reason given
 * - failed: the answer was not sent
 * - unknown: the network did not say, so it may have been sent; never sent again
 */
export type AnswerState = 'waiting' | 'sent' | 'skipped' | 'failed' | 'unknown';

/** An inbound message that this process has in hand. */
export type ClaimedAnswer = {
  tenant_id: number;
  inbound_id: number;
  phone: string;
  /** Tries begun, this one included. */
  attempts: number;
  /** The answer that an earlier try wrote down. */
  message_id: number | null;
};

/**
 * Takes inbound messages in hand, at most so many of each tenant, and of each phone only the oldest,
 * so that answers come in the order of what they answer. Where there is not room for all, the tenants
 * with the fewest in hand come first. They are due again when the lease ends, in case this process dies.
 *
 * @param underWay how many of a tenant this process has in hand already
 */
export async function claimAnswers(
  db: Db,
  {
    underWay,
    mostOfTenant,
    most,
    leaseMs,
  }: {
    underWay: ReadonlyMap<number, number>;
    mostOfTenant: number;
    most: number;
    leaseMs: number;
  },
): Promise<ClaimedAnswer[]> {
  const { rows } = await db.query<ClaimedAnswer>(
    statement(
      'claim-answers',
      sql`
        with recursive unflushed as materialized (
          -- A claim that a crash of the database undoes does no harm.
          select set_config('synchronous_commit', 'off', true)
        ), ${queueHeads('bot_answers', sql`due_at is not null`)}, due as (
          select next.*
          from unflushed
          cross join lateral (
            select heads.tenant_id, coalesce(busy.answers, 0) as under_way
            from heads
            left join ${rowsOf('busy', [...underWay], {
              tenant_id: ['bigint', ([tenantId]) => tenantId],
              answers: ['int', ([, answers]) => answers],
            })} on busy.tenant_id = heads.tenant_id
            where heads.due_at <= now()
            order by under_way, heads.due_at
          ) as turn
          cross join lateral (
            select tenant_id, inbound_id from bot_answers as candidate
            where tenant_id = turn.tenant_id and due_at <= now()
              and not exists (
                select from bot_answers as earlier
                where earlier.tenant_id = candidate.tenant_id and earlier.phone = candidate.phone
                  and earlier.due_at is not null and earlier.inbound_id < candidate.inbound_id)
            order by due_at, inbound_id
            limit greatest(0, ${mostOfTenant}::int - turn.under_way)
            for no key update skip locked
          ) as next
          limit ${most}
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

/** Keeps messages in hand for `leaseMs` from now; those that another process took over stay its. */
export async function renewAnswers(
  db: Db,
  held: ClaimedAnswer[],
  { leaseMs }: { leaseMs: number },
): Promise<void> {
  await db.query(
    statement(
      'renew-answers',
      sql`
        with held as (
          select * from ${rowsOf('held', held, {
            tenant_id: ['bigint', ({ tenant_id }) => tenant_id],
            inbound_id: ['bigint', ({ inbound_id }) => inbound_id],
            attempts: ['int', ({ attempts }) => attempts],
          })}
        )
        update bot_answers
        -- No condition, for which PostgreSQL might go through the index of all that wait.
        set due_at = case when due_at is not null then
          greatest(due_at, now() + ${leaseMs}::float8 * interval '1 ms') end
        from held
        where bot_answers.tenant_id = held.tenant_id and bot_answers.inbound_id = held.inbound_id
          and bot_answers.attempts = held.attempts`,
    ),
  );
}

/** How many answers were written down to a phone within the last minute. */
export async function countRecentAnswers(db: Db, tenantId: number, phone: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    statement(
      'count-recent-answers',
      sql`
        select count(*)::int as count from bot_answers
        where tenant_id = ${tenantId} and phone = ${phone} and message_id is not null
          and answered_at > now() - interval '1 minute'
          -- What lies further ahead is from before the clock was set back.
          and answered_at < now() + interval '1 minute'`,
    ),
  );
  return rows[0]!.count;
}

/**
 * Ties an answer to the message it answers, in the transaction that wrote the answer down.
 *
 * @returns false when another process has taken the message over, or it is gone
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

/** What came of one try of a message in hand. */
export type Settlement = {
  state: AnswerState;
  reason: string | null;
  /** null leaves the one that was chosen before. */
  bot: { id: number; name: string } | null;
  /** When it is looked at again; null when it is settled for good. */
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
          reason = ${reason},
          bot_id = coalesce(${bot?.id ?? null}::bigint, bot_id),
          bot_name = coalesce(${bot?.name ?? null}::text, bot_name),
          settled_at = now(),
          due_at = now() + ${retryInMs}::float8 * interval '1 ms'
        where tenant_id = ${claimed.tenant_id} and inbound_id = ${claimed.inbound_id}
          and attempts = ${claimed.attempts}`,
    ),
  );
}

/** Takes a message off the queue that no bot answers: the common case leaves nothing behind. */
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
