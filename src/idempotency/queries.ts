import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import type { ApiError } from '../platform/errors/api-error.ts';

/** An Idempotency-Key of one token. Different tokens can use the same key independently. */
export type KeyOfToken = { tenantId: number; tokenId: number; key: string };

/**
 * One execution of a request: the row has its id as long as no other caller has claimed the key.
 */
export type Attempt = KeyOfToken & { attemptId: number };

/** A response to replay: the body of a success, or the error. */
export type StoredResponse = { body: unknown } | StoredError;

export type StoredError = Pick<
  ApiError,
  'kind' | 'message' | 'errors' | 'headers' | 'publicCode' | 'data'
> &
  // Not in rows of earlier versions.
  Partial<Pick<ApiError, 'fault' | 'faults'>>;

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

/** The result of claiming a key for a request. */
export type Claim =
  /**
   * The caller executes the request; `resumed` if an earlier process may have had its effect
   * already.
   */
  | { state: 'claimed'; attemptId: number; resumed: boolean }
  /** The request is finished, and this is its response. */
  | { state: 'finished'; response: StoredResponse }
  /**
   * Another caller executes it; `attemptId` is null if that attempt is not visible to this
   * statement yet.
   */
  | { state: 'running'; attemptId: number | null }
  /** The key was used with another request. */
  | { state: 'mismatch' };

type ClaimRow = {
  claimed: boolean;
  resumed: boolean;
  attempt_id: number | null;
  differs: boolean;
  answer: StoredResponse | null;
  held: boolean;
};

type Claimant = KeyOfToken & { fingerprint: Buffer; waitedFor: number | null };

/** How long a key is valid, from its first request on. */
const keyLifetime: Sql = sql`interval '1 day'`;

/**
 * Whether taking over a row that is not held starts a new attempt: the last one had no effect, or
 * expired.
 */
const isNewAttempt: Sql = sql`
  (stored.without_effect or stored.created_at <= excluded.created_at - ${keyLifetime})`;

/**
 * Claims many keys with one statement and returns the results in their order. The primary key
 * decides between concurrent claims. If a batch has the same key several times, only the first can
 * claim it.
 *
 * The row of a key is in one of these states. It is held while `held_until` is in the future:
 *
 * | row | state of the key | claim |
 * |---|---|---|
 * | none | unused | claimed, new attempt |
 * | held, no response | a process executes it and extends its lease | running |
 * | held, response | final | finished |
 * | not held, no response | the process died | claimed, resumed |
 * | not held, response of the attempt waited for | ended just now | finished |
 * | not held, response, `without_effect` | ended without effect, or refused | claimed, new attempt |
 * | not held, other response | open: the outcome is unknown | claimed, resumed |
 * | not held, older than a day | expired | claimed, new attempt |
 *
 * A request with another fingerprint is a mismatch in all states except those that start a new
 * attempt. An empty fingerprint fits every request: the key came from an installation with another master key.
 *
 * @param asked `waitedFor` is the attempt that the caller has waited for, null before it waits
 */
export async function claimKeys(db: Db, asked: Claimant[], leaseMs: number): Promise<Claim[]> {
  // A lease can end this late only if the clock was set back since. Such a lease does not count.
  const isLeased = (at: Sql) => sql`
    (stored.held_until > ${at} and (stored.answer is not null
      or stored.held_until < ${at} + ${2 * leaseMs}::float8 * interval '1 ms'))`;
  const { rows } = await db.query<ClaimRow>(
    statement(
      'claim-keys',
      sql`
        with asked as (
          select *
          from ${rowsOf('asked', asked, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            token_id: ['bigint', ({ tokenId }) => tokenId],
            key: ['text', ({ key }) => key],
            fingerprint: ['bytea', ({ fingerprint }) => fingerprint],
            waited_for: ['bigint', ({ waitedFor }) => waitedFor],
            position: ['int', (_, index) => index + 1],
          })}
        ), seen as (
          select asked.position, stored.run_id, stored.fingerprint, stored.answer,
                 ${isLeased(sql`now()`)} as held
          from asked join idempotency_keys stored using (tenant_id, token_id, key)
        ), free as (
          select distinct on (tenant_id, token_id, key) asked.*
          from asked left join seen using (position)
          where seen.position is null
            or not seen.held
               and (seen.answer is null or asked.waited_for is distinct from seen.run_id)
          order by tenant_id, token_id, key, position
        ), claimed as (
          insert into idempotency_keys as stored
            (tenant_id, token_id, key, fingerprint, run_id, created_at, held_until)
          select tenant_id, token_id, key, fingerprint, nextval('idempotency_runs'), now(),
                 now() + ${leaseMs}::float8 * interval '1 ms'
          from free order by tenant_id, token_id, key
          on conflict (tenant_id, token_id, key) do update set
            run_id = case when ${isNewAttempt} then excluded.run_id else stored.run_id end,
            created_at = case when ${isNewAttempt} then excluded.created_at else stored.created_at end,
            fingerprint = excluded.fingerprint,
            held_until = excluded.held_until,
            answer = null,
            without_effect = false,
            written = stored.written and not ${isNewAttempt},
            message_gone = stored.message_gone and not ${isNewAttempt}
          where not ${isLeased(sql`excluded.created_at`)}
            and (${isNewAttempt} or stored.fingerprint in ('', excluded.fingerprint))
          returning tenant_id, token_id, key, run_id, fingerprint,
                    created_at <> now() as resumed
        )
        select free.position is not null and claimed.run_id is not null as claimed,
               coalesce(claimed.resumed, false) as resumed,
               coalesce(claimed.run_id, seen.run_id) as attempt_id,
               coalesce(coalesce(claimed.fingerprint, seen.fingerprint)
                          not in ('', asked.fingerprint), false)
                 as differs,
               case when claimed.run_id is null then seen.answer end as answer,
               coalesce(seen.held, false) as held
        from asked
        left join free using (position)
        left join claimed on claimed.tenant_id = asked.tenant_id
          and claimed.token_id = asked.token_id and claimed.key = asked.key
        left join seen on seen.position = asked.position
        order by asked.position`,
    ),
  );
  return rows.map((row, index) => toClaim(row, asked[index]!));
}

function toClaim(row: ClaimRow, { waitedFor }: Claimant): Claim {
  const { attempt_id: attemptId, answer } = row;
  if (row.claimed) return { state: 'claimed', attemptId: attemptId!, resumed: row.resumed };
  if (row.differs) return { state: 'mismatch' };
  if (!answer) return { state: 'running', attemptId };
  if (row.held || attemptId === waitedFor) return { state: 'finished', response: answer };
  // Another request claimed the key between the snapshot of this statement and its insert.
  return { state: 'running', attemptId: waitedFor };
}

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
