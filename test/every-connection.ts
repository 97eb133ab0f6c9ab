import type pg from 'pg';
import { expect } from 'vitest';
import type { Database } from '../src/platform/database/database.ts';

/** Runs `look` on each connection that a pool has open, one after the other. */
export async function onEveryConnection<Result>(
  pool: Database['pool'] | Database['batched'],
  look: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result[]> {
  const opened = pool as pg.Pool;
  const clients = await Promise.all(
    Array.from({ length: opened.totalCount }, () => opened.connect()),
  );
  const results: Result[] = [];
  try {
    for (const client of clients) results.push(await look(client));
  } finally {
    for (const client of clients) client.release();
  }
  return results;
}

/**
 * What a statement sets for itself, such as not to wait for the disk, must end with it: else it holds
 * for the sends that the same connection writes down after it.
 */
export async function checkSettings({ pool, batched }: Database): Promise<void> {
  const left = async (client: pg.PoolClient) => {
    const { rows } = await client.query<{ name: string }>(
      `select name from pg_settings where source = 'session'`,
    );
    return rows.map(({ name }) => name);
  };
  for (const each of [pool, batched]) {
    expect((await onEveryConnection(each, left)).flat()).toEqual([]);
  }
}
