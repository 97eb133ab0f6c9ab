import sql, { join, raw } from 'sql-template-tag';
import { today } from '../limits/token-counts.ts';
import { numberProblem, tokenEndsSoon } from '../numbers/state/number-problem.ts';
import { isLost } from '../numbers/state/unconnected-numbers.ts';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import { isHeld } from '../platform/jobs/is-held.ts';
import { queueHeads } from '../platform/jobs/queue-heads.ts';

/**
 * The tables that are queues, each with the condition of the index that is used to work it off, and the columns of that
 * index before `due_at`. Deliveries to an endpoint and posts of a store that is switched off or paused are not late.
 */
const queues = {
  deliveries: {
    waiting: sql`state = 'waiting'`,
    key: ['tenant_id', 'webhook_id'],
    isOwed: sql`coalesce(
      (select coalesce(off_since, paused_since) is null from webhooks
       where webhooks.tenant_id = heads.tenant_id and webhooks.id = heads.webhook_id), true)`,
  },
  store_events: {
    waiting: sql`due_at is not null`,
    key: ['tenant_id', 'store_id'],
    isOwed: sql`(
      select paused_since is null from stores
      where stores.tenant_id = heads.tenant_id and stores.id = heads.store_id)`,
  },
  bot_answers: { waiting: sql`due_at is not null`, key: ['tenant_id'], isOwed: sql`true` },
  kept_files: { waiting: sql`due_at is not null`, key: ['tenant_id'], isOwed: sql`true` },
} as const;

/** The maximum count of each endpoint, store or tenant. Beyond that the exact number makes no difference. */
const maxCounted = 1_000;

export type QueueState = {
  queue: keyof typeof queues;
  /** Items that are due or being worked on, of all tenants, counting at most a thousand of each endpoint, store or tenant. */
  due: number;
  /** How long the oldest item has been due; 0 if none is. */
  oldest_seconds: number;
};

/** Reads the state of every queue. Costs some index entries for each tenant with waiting items. */
export function findQueueStates(db: Db): Promise<QueueState[]> {
  const names = Object.keys(queues) as (keyof typeof queues)[];
  return Promise.all(names.map((queue) => findQueueState(db, queue)));
}

async function findQueueState(db: Db, queue: QueueState['queue']): Promise<QueueState> {
  const { waiting, key, isOwed } = queues[queue];
  const { rows } = await db.query<Omit<QueueState, 'queue'>>(
    statement(
      `find-state-of-${queue}`,
      sql`
        with recursive ${queueHeads(queue, waiting, [...key])}
        select coalesce(sum(counted.due), 0)::int as due,
               coalesce(extract(epoch from max(now() - heads.due_at)), 0)::float8
                 as oldest_seconds
        from heads
        cross join lateral (
          select count(*) as due
          from (
            select from ${raw(queue)} as waiting
            where (${join(
              key.map((column) => sql`waiting.${raw(column)} = heads.${raw(column)}`),
              ' and ',
            )})
              and ${waiting} and waiting.due_at <= now()
            limit ${maxCounted}
          ) as due
        ) as counted
        where heads.due_at <= now() and ${isOwed}`,
    ),
  );
  return { queue, ...rows[0]! };
}

/**
 * `connected` are all numbers, and `numbers` those with a problem. `unverified` are numbers at which no message has
 * arrived since they were connected, and `expiring` those whose access token ends soon. `unconnected` are numbers that
 * nobody has connected, and whose reports are lost. `webhooks` are switched off, and `failing_webhooks` may soon be. `quotas` are those of webhooks, and `day_quotas` the tokens that have sent nine tenths of
 * their messages of the day. `stale_templates` are tenants whose templates were not read for two days.
 */
export type Troubles = {
  connected: number;
  numbers: number;
  unverified: number;
  expiring: number;
  unconnected: number;
  webhooks: number;
  failing_webhooks: number;
  quotas: number;
  day_quotas: number;
  stale_templates: number;
};

/**
 * Counts numbers that cannot be used as they are, webhooks that fail or were switched off, full quotas, and tenants with
 * old templates. Copies of tenants that serve in another cell hear nothing, and do not count.
 */
export async function countTroubles(db: Db, silenceMinutes: number): Promise<Troubles> {
  const { rows } = await db.query<Troubles>(sql`
    select numbers.*,
           webhooks.*,
           (select count(*) from unconnected_numbers
            where ${isLost} and not ${isHeld(sql`unconnected_numbers.tenant_id`)})::int as unconnected,
           (select count(*)
            from tokens
            join token_days on token_days.tenant_id = tokens.tenant_id and token_id = tokens.id and day = ${today}
            where revoked_at is null and messages >= 0.9 * day_limit)::int as day_quotas,
           (select count(*) from template_syncs
            where synced_at < now() - interval '2 days' and not ${isHeld(sql`template_syncs.tenant_id`)}
              and exists (
                select from numbers
                where numbers.tenant_id = template_syncs.tenant_id and disconnected_at is null
              ))::int as stale_templates
    from (
      select count(*)::int as connected,
             count(*) filter (where ${numberProblem(silenceMinutes)} is not null)::int as numbers,
             count(*) filter (where received_at is null)::int as unverified,
             count(*) filter (where ${tokenEndsSoon})::int as expiring
      from numbers
      where disconnected_at is null and not ${isHeld(sql`numbers.tenant_id`)}
    ) as numbers
    cross join (
      select count(*) filter (where off_reason is not null)::int as webhooks,
             count(*) filter (where failing_since is not null and off_since is null)::int as failing_webhooks,
             count(*) filter (where recording <> 'all')::int as quotas
      from webhooks
      where not ${isHeld(sql`webhooks.tenant_id`)}
    ) as webhooks`);
  return rows[0]!;
}

/** Counts the bytes of the inbound files that are kept for all tenants. */
export async function countKeptBytes(db: Db): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(bytes), 0)::float8 as bytes from kept_file_totals`);
  return rows[0]!.bytes;
}

/**
 * `lag_bytes` is that of the slowest standby; null if there is none. `synchronous` standbys are those that a commit
 * waits for. Without the role pg_monitor, none is seen. Backups that read the log of the server do not replay it,
 * and do not count. While a transaction of another client has a snapshot, no deleted row can be removed. Without
 * that role, only those of Parley's own user are seen.
 */
export type ServerState = {
  bytes: number;
  lag_bytes: number | null;
  synchronous: number;
  asynchronous: number;
  /** The age of the oldest of these transactions; 0 if there is none. */
  oldest_snapshot_seconds: number;
};

export async function findServerState(db: Db): Promise<ServerState> {
  const { rows } = await db.query<ServerState>(
    statement(
      'find-server-state',
      sql`
        select pg_database_size(current_database()) as bytes,
               max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 as lag_bytes,
               count(replay_lsn) filter (where sync_state in ('sync', 'quorum'))::int as synchronous,
               count(replay_lsn) filter (where sync_state not in ('sync', 'quorum'))::int as asynchronous,
               (select coalesce(extract(epoch from max(clock_timestamp() - xact_start)), 0)::float8
                from pg_stat_activity
                where datname = current_database() and backend_xmin is not null
                  and backend_type = 'client backend' and pid <> pg_backend_pid()
               ) as oldest_snapshot_seconds
        from pg_stat_replication`,
    ),
  );
  return rows[0]!;
}

/** The rows of a table as PostgreSQL estimates them; dead ones are deleted or replaced, and not removed yet. */
export type TableRows = { table: string; live: number; dead: number };

/** Lists the tables of at least 10,000 rows, live or dead. */
export async function findLargeTables(db: Db): Promise<TableRows[]> {
  const { rows } = await db.query<TableRows>(
    statement(
      'find-large-tables',
      sql`
        select relname as table, n_live_tup::float8 as live, n_dead_tup::float8 as dead
        from pg_stat_user_tables
        where n_live_tup + n_dead_tup >= 10000`,
    ),
  );
  return rows;
}
