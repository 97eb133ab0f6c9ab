import pg from 'pg';
import { onTestFinished } from 'vitest';
import { eventually } from '../checks/eventually.ts';
import type { TestApp } from '../program/app.ts';

/**
 * Begins a transaction on its own connection, which holds the locks of a statement until the test, or the end
 * of the test, ends it.
 */
export async function holdLocks(
  { connection }: TestApp,
  statement: string,
  values: unknown[] = [],
): Promise<pg.Client> {
  const holder = new pg.Client(connection);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin');
  await holder.query(statement, values);
  return holder;
}

/**
 * Waits until `count` statements wait for a lock.
 *
 * @param like a pattern for their text, as in SQL; `lock` is the kind of lock, such as `advisory`
 * @returns the ids of their processes
 */
export function lockWaiters(
  { db }: TestApp,
  { count = 1, like = '%', lock = '%' }: { count?: number; like?: string; lock?: string } = {},
): Promise<number[]> {
  return eventually(async () => {
    const { rows } = await db.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like $1
         and wait_event like $2`,
      [like, lock],
    );
    return rows.length >= count && rows.map(({ pid }) => pid);
  });
}
