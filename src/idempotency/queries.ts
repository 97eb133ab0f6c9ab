import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import { type KeyOfToken, keyLifetime, type StoredResponse } from './claim-queries.ts';

/**
 * One execution of a request: the row has its id as long as no other caller has claimed the key.
 */
export type Attempt = KeyOfToken & { attemptId: number };

/**
 * How an attempt ended, which decides what the next request with the key gets:
 * - final: the stored response, for the rest of the day
 * - no effect: a new attempt, unless this one stored a message in the meantime
 * - refused: a new attempt, although this one stored a message: the network refused it
 * - open: the same attempt is resumed, which looks for the outcome first
 *
 * Requests that already waited for the attempt share its response in every case.
 */
export type AttemptEnd = 'final' | 'no effect' | 'refused' | 'open';

/**
 * Extends the leases of attempts that are still running. Skips a row that is locked, because an
 * attempt is storing its message: waiting for it could deadlock. The next extension covers it.
 */
export async function extendLeases(db: Db, attempts: Attempt[], leaseMs: number): Promise<void> {
  await db.query(
    statement(
      'extend-leases',
      sql`
        update idempotency_keys stored
        set held_until = now() + ${leaseMs}::float8 * interval '1 ms'
        from (
          select tenant_id, token_id, key
          from ${rowsOf('attempt', attempts, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            token_id: ['bigint', ({ tokenId }) => tokenId],
            key: ['text', ({ key }) => key],
            attempt_id: ['bigint', ({ attemptId }) => attemptId],
          })}
          join idempotency_keys using (tenant_id, token_id, key)
          where run_id = attempt_id and answer is null
          for no key update of idempotency_keys skip locked
        ) as attempt
        where stored.tenant_id = attempt.tenant_id and stored.token_id = attempt.token_id
          and stored.key = attempt.key`,
    ),
  );
}

/**
 * Ends an attempt and stores its response.
 *
 * @returns false if the attempt had lost its key, and nothing was stored
 */
export async function endAttempt(
  db: Db,
  attempt: Attempt,
  response: StoredResponse,
  end: AttemptEnd,
): Promise<boolean> {
  const { rowCount } = await db.query(
    statement(
      'end-attempt',
      sql`
        update idempotency_keys set
          answer = ${JSON.stringify(response)}::json,
          without_effect = ${end === 'no effect' || end === 'refused'},
          held_until = case when ${end === 'final'} then created_at + ${keyLifetime}
            else now() end
        where ${isOf(attempt)} and answer is null and not (written and ${end === 'no effect'})`,
    ),
  );
  return rowCount === 1;
}

/** Whether the attempt stored a message that has been deleted since, and may have been sent. */
export async function isMessageGone(
  db: Db,
  { tenantId, attemptId }: { tenantId: number; attemptId: number },
): Promise<boolean> {
  const { rows } = await db.query(sql`
    select from idempotency_keys
    where tenant_id = ${tenantId} and run_id = ${attemptId} and message_gone`);
  return rows.length > 0;
}

/**
 * Replaces an attempt whose message was refused by a new one, as an attempt has one message at
 * most.
 *
 * @returns the id of the new attempt; undefined if the old one had lost its key
 */
export async function startNewAttempt(db: Db, attempt: Attempt): Promise<number | undefined> {
  const { rows } = await db.query<{ run_id: number }>(sql`
    update idempotency_keys set run_id = nextval('idempotency_runs'), written = false
    where ${isOf(attempt)} and answer is null
    returning run_id`);
  return rows[0]?.run_id;
}

/** Deletes the key of an attempt that had no effect and whose response is not to be shared. */
export async function releaseKey(db: Db, attempt: Attempt): Promise<void> {
  await db.query(sql`
    delete from idempotency_keys
    where ${isOf(attempt)} and answer is null and not written`);
}

function isOf({ tenantId, tokenId, key, attemptId }: Attempt): Sql {
  return sql`
    tenant_id = ${tenantId} and token_id = ${tokenId} and key = ${key} and run_id = ${attemptId}`;
}

/**
 * Deletes up to `limit` expired keys, except for those that another statement has locked.
 *
 * @returns how many
 */
export async function deleteExpiredKeys(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    with expired as materialized (
      select tenant_id, token_id, key from idempotency_keys
      where created_at <= now() - ${keyLifetime} and held_until <= now()
      order by created_at limit ${limit} for update skip locked
    )
    delete from idempotency_keys using expired
    where idempotency_keys.tenant_id = expired.tenant_id
      and idempotency_keys.token_id = expired.token_id and idempotency_keys.key = expired.key`);
  return rowCount ?? 0;
}
