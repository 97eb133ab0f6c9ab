import type pg from 'pg';
import type { TestApp } from '../program/app.ts';

/** These add what was gathered of earlier requests, whenever their second is over. */
const gathering = ['add-usage', 'add-requests'];

/** Counts the statements that go to the database while `work` runs. */
export async function countRoundTrips(
  { db }: Pick<TestApp, 'db'>,
  work: () => Promise<unknown>,
): Promise<number> {
  let trips = 0;
  const count = () => {
    trips++;
  };
  const pools = [db.pool, db.batched, db.fair] as pg.Pool[];
  const queries = pools.map((pool) => pool.query.bind(pool) as (given: unknown) => unknown);
  for (const [place, pool] of pools.entries()) {
    pool.on('acquire', count);
    pool.query = ((given: { name?: string }) => {
      if (gathering.some((name) => given.name?.startsWith(name))) trips--;
      return queries[place]!(given);
    }) as typeof pool.query;
  }
  try {
    await work();
  } finally {
    for (const pool of pools) {
      pool.off('acquire', count);
      // The one of the class is back.
      Reflect.deleteProperty(pool, 'query');
    }
  }
  return trips;
}
