import type pg from 'pg';
import type { TestApp } from '../program/app.ts';

/** Counts the statements that go to the database while `work` runs. */
export async function countRoundTrips(
  { db }: Pick<TestApp, 'db'>,
  work: () => Promise<unknown>,
): Promise<number> {
  let trips = 0;
  const count = () => {
    trips++;
  };
  const pools = [db.pool, db.batched as unknown as pg.Pool];
  for (const pool of pools) pool.on('acquire', count);
  try {
    await work();
  } finally {
    for (const pool of pools) pool.off('acquire', count);
  }
  return trips;
}
