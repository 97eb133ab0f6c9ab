import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import type { ApiError } from '../platform/errors/api-error.ts';

/** An Idempotency-Key of one token. Different tokens can use the same key independently. */
export type KeyOfToken = { tenantId: number; tokenId: number; key: string };

/** A response to replay: the body of a success, or the error. */
export type StoredResponse = { body: unknown } | StoredError;

export type StoredError = Pick<
  ApiError,
  'kind' | 'message' | 'errors' | 'headers' | 'publicCode' | 'data'
> &
  // Not in rows of earlier versions.
  Partial<Pick<ApiError, 'fault' | 'faults'>>;

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
export const keyLifetime: Sql = sql`interval '1 day'`;

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
