import sql, { type Sql } from 'sql-template-tag';
import type { ApiError } from '../errors.ts';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';

/** A key of one token: keys of two tokens never meet. */
export type KeyOfToken = { tenantId: number; tokenId: number; key: string };

/** An answer to be given again: of a success its body, else the error it was. */
export type KeptAnswer = { body: unknown } | KeptError;

export type KeptError = Pick<
  ApiError,
  'kind' | 'message' | 'errors' | 'headers' | 'publicCode' | 'data'
>;

/**
 * What an answer means for requests to come:
 * - stands: it is given for the rest of the day
 * - without effect: the next request starts afresh, unless a message was written down meanwhile
 * - refused: it does although one was, which the network refused
 * - open: the next request has to find out what came of this run
 */
export type RunEnd = 'stands' | 'without effect' | 'refused' | 'open';

export type Claim = {
  /** The run is ours. */
  ours: boolean;
  /** Ours, after an earlier process died in it or could not tell what came of it. */
  resumed: boolean;
  /** Ours, or the one that somebody else has; null when that was not to be seen yet. */
  run_id: number | null;
  /** The key was used with another request. */
  differs: boolean;
  answer: KeptAnswer | null;
  /** The answer stands for its day; else only those who waited for that run share it. */
  held: boolean;
};

/** How long a key stands, from its first request on. */
const keptFor: Sql = sql`interval '1 day'`;

/** Whether whoever takes over a row that nobody holds begins anew: its run, if any, had no effect. */
const startsAfresh: Sql = sql`
  (kept.without_effect or kept.created_at <= excluded.created_at - ${keptFor})`;

/**
 * Claims many keys at once and answers in their order. The primary key decides: whoever inserts
 * the row, or takes one over that nobody holds any more, runs the request; all others are told
 * what is there. Of one key several times in a batch only the first can win.
 *
 * @param asked `waitedFor` is the run whose end was awaited: how it failed is the answer then
 */
export async function claimKeys(
  db: Db,
  asked: (KeyOfToken & { fingerprint: Buffer; waitedFor: number | null })[],
  leaseMs: number,
): Promise<Claim[]> {
  // A lease that ends later than any can is one from before the clock was set back.
  const isHeld = (at: Sql) => sql`
    (kept.held_until > ${at} and (kept.answer is not null
      or kept.held_until < ${at} + ${2 * leaseMs}::float8 * interval '1 ms'))`;
  const { rows } = await db.query<Claim>(
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
          select asked.position, kept.run_id, kept.fingerprint, kept.answer,
                 ${isHeld(sql`now()`)} as held
          from asked join idempotency_keys kept using (tenant_id, token_id, key)
        ), free as (
          select distinct on (tenant_id, token_id, key) asked.*
          from asked left join seen using (position)
          where seen.position is null
            or not seen.held
               and (seen.answer is null or asked.waited_for is distinct from seen.run_id)
          order by tenant_id, token_id, key, position
        ), claimed as (
          insert into idempotency_keys as kept
            (tenant_id, token_id, key, fingerprint, run_id, created_at, held_until)
          select tenant_id, token_id, key, fingerprint, nextval('idempotency_runs'), now(),
                 now() + ${leaseMs}::float8 * interval '1 ms'
          from free order by tenant_id, token_id, key
          on conflict (tenant_id, token_id, key) do update set
            run_id = case when ${startsAfresh} then excluded.run_id else kept.run_id end,
            created_at = case when ${startsAfresh} then excluded.created_at else kept.created_at end,
            fingerprint = excluded.fingerprint,
            held_until = excluded.held_until,
            answer = null,
            without_effect = false,
            written = kept.written and not ${startsAfresh},
            message_gone = kept.message_gone and not ${startsAfresh}
          where not ${isHeld(sql`excluded.created_at`)}
            and (${startsAfresh} or kept.fingerprint = excluded.fingerprint)
          returning tenant_id, token_id, key, run_id, fingerprint,
                    created_at <> now() as resumed
        )
        select free.position is not null and claimed.run_id is not null as ours,
               coalesce(claimed.resumed, false) as resumed,
               coalesce(claimed.run_id, seen.run_id) as run_id,
               coalesce(coalesce(claimed.fingerprint, seen.fingerprint) <> asked.fingerprint, false)
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
  return rows;
}

/**
 * Holds on to runs that take longer than their lease. A run that just now writes its message down is
 * left for the next time: to wait for it could be to wait for each other.
 */
export async function extendLeases(
  db: Db,
  runs: (KeyOfToken & { runId: number })[],
  leaseMs: number,
): Promise<void> {
  await db.query(
    statement(
      'extend-leases',
      sql`
        update idempotency_keys kept
        set held_until = now() + ${leaseMs}::float8 * interval '1 ms'
        from (
          select tenant_id, token_id, key
          from ${rowsOf('run', runs, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            token_id: ['bigint', ({ tokenId }) => tokenId],
            key: ['text', ({ key }) => key],
            of_run: ['bigint', ({ runId }) => runId],
          })}
          join idempotency_keys using (tenant_id, token_id, key)
          where run_id = of_run and answer is null
          for no key update of idempotency_keys skip locked
        ) as run
        where kept.tenant_id = run.tenant_id and kept.token_id = run.token_id
          and kept.key = run.key`,
    ),
  );
}

/**
 * Ends a run with its answer.
 *
 * @returns whether it was still ours to end
 */
export async function endRun(
  db: Db,
  run: KeyOfToken & { runId: number },
  answer: KeptAnswer,
  end: RunEnd,
): Promise<boolean> {
  const { rowCount } = await db.query(
    statement(
      'end-run',
      sql`
        update idempotency_keys set
          answer = ${JSON.stringify(answer)}::json,
          without_effect = ${end === 'without effect' || end === 'refused'},
          held_until = case when ${end === 'stands'} then created_at + ${keptFor}
            else now() end
        where tenant_id = ${run.tenantId} and token_id = ${run.tokenId} and key = ${run.key}
          and run_id = ${run.runId} and answer is null
          and not (written and ${end === 'without effect'})`,
    ),
  );
  return rowCount === 1;
}

/** Whether a run wrote down a message that is gone by now, and may have been sent. */
export async function isMessageGone(
  db: Db,
  { tenantId, runId }: { tenantId: number; runId: number },
): Promise<boolean> {
  const { rows } = await db.query(sql`
    select from idempotency_keys
    where tenant_id = ${tenantId} and run_id = ${runId} and message_gone`);
  return rows.length > 0;
}

/** A new run for one of which nothing came; undefined when somebody else has it by now. */
export async function redrawRun(
  db: Db,
  run: KeyOfToken & { runId: number },
): Promise<number | undefined> {
  const { rows } = await db.query<{ run_id: number }>(sql`
    update idempotency_keys set run_id = nextval('idempotency_runs'), written = false
    where tenant_id = ${run.tenantId} and token_id = ${run.tokenId} and key = ${run.key}
      and run_id = ${run.runId} and answer is null
    returning run_id`);
  return rows[0]?.run_id;
}

/** Forgets a run of which nothing came and whose answer nobody should share. */
export async function forgetRun(db: Db, run: KeyOfToken & { runId: number }): Promise<void> {
  await db.query(sql`
    delete from idempotency_keys
    where tenant_id = ${run.tenantId} and token_id = ${run.tokenId} and key = ${run.key}
      and run_id = ${run.runId} and answer is null and not written`);
}

/** Deletes keys whose day is over. */
export async function deleteExpiredKeys(db: Db): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from idempotency_keys
    where created_at <= now() - ${keptFor}
      and held_until <= now()`);
  return rowCount ?? 0;
}
