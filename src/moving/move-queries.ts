import type pg from 'pg';
import sql from 'sql-template-tag';
import { arrivalName } from '../backup/tenants/insert-tenant.ts';
import {
  commandLockClass,
  holdLockClass,
  locksWithId,
  schemaLockClass,
} from '../platform/database/advisory-locks.ts';
import type { Db } from '../platform/database/database.ts';
import { commandLockId } from './holding/begin-command.ts';
import { movesChannel } from './holding/tenant-holds.ts';

/** Migration 0028 explains the states. */
export type MoveState = 'copying' | 'held' | 'cancelling' | 'moved' | 'arriving' | 'arrived';

export type Move = {
  tenant_id: number;
  id: number;
  state: MoveState;
  other_cell: string;
  /** How long the tenant has been held. */
  held_ms: number | null;
};

/** Finds the move of a tenant in the database of one of its cells. */
export async function findMove(db: Db, slug: string): Promise<Move | undefined> {
  const { rows } = await db.query<Move>(sql`
    select tenant_moves.tenant_id, tenant_moves.id, state, other_cell,
           (extract(epoch from clock_timestamp() - held_at) * 1000)::float8 as held_ms
    from tenant_moves join tenants on tenants.id = tenant_moves.tenant_id
    where slug = ${slug}`);
  return rows[0];
}

/** Whether the tenant is a copy that is not used yet. */
export function isArriving({ state }: Move): boolean {
  return state === 'arriving' || state === 'arrived';
}

/** Begins a move, or begins an unfinished one anew, while the tenant serves here. */
export async function startMove(
  db: Db,
  tenantId: number,
  { id, otherCell }: { id: number; otherCell: string },
): Promise<void> {
  await db.query(sql`
    insert into tenant_moves (tenant_id, id, state, other_cell)
    values (${tenantId}, ${id}, 'copying', ${otherCell})
    on conflict (tenant_id) do update set
      id = excluded.id, state = 'copying', other_cell = excluded.other_cell, held_at = null, changed_at = now()`);
  await notifyProcesses(db);
}

/** Records the tenant as arriving, in the transaction that inserts its row. */
export async function insertArrival(
  db: Db,
  tenantId: number,
  { id, otherCell }: { id: number; otherCell: string },
): Promise<void> {
  await db.query(sql`
    insert into tenant_moves (tenant_id, id, state, other_cell, held_at)
    values (${tenantId}, ${id}, 'arriving', ${otherCell}, now())`);
  await notifyProcesses(db);
}

/** @returns false if the move is in none of the states of `from` */
export async function changeState(
  db: Db,
  tenantId: number,
  { id, from, to }: { id: number; from: MoveState[]; to: MoveState },
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update tenant_moves set state = ${to}, changed_at = now(),
           held_at = ${to === 'held' ? sql`clock_timestamp()` : sql`held_at`}
    where tenant_id = ${tenantId} and id = ${id} and state = any(${from})`);
  await notifyProcesses(db);
  return rowCount === 1;
}

/** Deletes the move. From now on, the tenant serves in this cell as if it had never moved. */
export async function deleteMove(db: Db, tenantId: number, id: number): Promise<void> {
  await db.query(sql`delete from tenant_moves where tenant_id = ${tenantId} and id = ${id}`);
  await notifyProcesses(db);
}

async function notifyProcesses(db: Db): Promise<void> {
  await db.query(sql`select pg_notify(${movesChannel}, '')`);
}

/** Counts of possible writers for a held tenant. */
export type Writers = { processes: number; transactions: number; commands: number };

/**
 * Counts the processes that have not shown yet that they write no more for the tenant, the transactions that wrote
 * before it was held (that of a process that died can still be under way), and the commands of the tenant. Imports
 * and moves of other tenants into this cell are one transaction for minutes, and do not count.
 */
export async function countWriters(db: Db, move: Pick<Move, 'tenant_id' | 'id'>): Promise<Writers> {
  const { rows } = await db.query<Writers>(sql`
    with locks as ${locksWithId}
    select (select count(*)::int from locks as process where classid = ${schemaLockClass} and not exists (
              select from locks as hold
              where hold.pid = process.pid and hold.classid = ${holdLockClass} and hold.objid = ${move.id})) as processes,
           (select count(*)::int from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null
              and application_name <> ${arrivalName}
              and xact_start < (select held_at from tenant_moves where tenant_id = ${move.tenant_id})) as transactions,
           (select count(*)::int from locks
            where classid = ${commandLockClass} and objid = ${commandLockId(move.tenant_id)}) as commands`);
  return rows[0]!;
}

/** Counts the imports and bulk changes of contacts that are running, which write in many steps. */
export async function countLongWork(db: Db, tenantId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    select (select count(*) from contact_imports
            where tenant_id = ${tenantId} and state = 'running'
              and heard_at > now() - interval '30 seconds')::int
         + (select count(*) from contact_bulk_changes
            where tenant_id = ${tenantId} and state = 'running')::int as count`);
  return rows[0]!.count;
}

/**
 * How a tenant uses the storage of received files: whether it keeps any or will, whether some are in the data
 * folder, and their size in bytes.
 */
export type FileUse = { keeps: boolean; in_folder: boolean; bytes: number };

export async function findFileUse(db: Db, tenantId: number): Promise<FileUse> {
  const { rows } = await db.query<FileUse>(sql`
    select keep_files_days > 0 or exists (
             select from kept_files where tenant_id = id and not is_removed) as keeps,
           exists (select from kept_files where tenant_id = id and not is_removed and not in_bucket
                   and kept_at is not null) as in_folder,
           coalesce((select bytes from kept_file_totals where tenant_id = id), 0) as bytes
    from tenants where id = ${tenantId}`);
  return rows[0]!;
}

export async function findTenantId(db: Db, slug: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(sql`select id from tenants where slug = ${slug}`);
  return rows[0]?.id;
}

/** Takes the lock of a tenant's move for as long as the connection lasts. */
export async function tryLockMove(client: pg.ClientBase, slug: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(sql`
    select pg_try_advisory_lock(hashtextextended('move ' || ${slug}, 0)) as locked`);
  return rows[0]!.locked;
}
