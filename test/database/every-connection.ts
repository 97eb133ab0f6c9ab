import type pg from 'pg';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';

/** Runs `look` on each open connection of a pool, one after the other. */
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
 * Checks that settings of a statement, such as not waiting for the disk, end with it. Otherwise they would
 * apply to sends that the same connection stores later.
 */
export async function checkSettings({ pool, batched, fair, reads }: Database): Promise<void> {
  const left = async (client: pg.PoolClient) => {
    const { rows } = await client.query<{ name: string }>(
      `select name from pg_settings where source = 'session'`,
    );
    return rows.map(({ name }) => name);
  };
  const ofReads = Object.values(reads).flatMap((each) => [each, each.batched]);
  for (const each of [pool, batched, fair, ...ofReads]) {
    expect((await onEveryConnection(each, left)).flat()).toEqual([]);
  }
}
