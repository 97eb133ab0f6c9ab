import type { Db } from '../../src/platform/database/database.ts';
import type { Prepared } from '../../src/platform/database/statement.ts';
import type { TestApp } from '../program/app.ts';

type BatchedPool = {
  connect(): Promise<{
    query(text: string, values?: unknown[]): Promise<{ rows: Record<string, string>[] }>;
    release(): void;
  }>;
};

/** Returns the plan nodes of a batched statement on the connections for batches. */
export async function planOf(app: TestApp, run: (db: Db) => Promise<unknown>): Promise<string> {
  const { text, values } = await statementOf(run);
  // The generic plan for any number of rows, not the one for these.
  const generic = `explain ${text}`;
  const client = await (app.db.batched as unknown as BatchedPool).connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    const { rows } = await client.query(generic, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('reset plan_cache_mode');
    client.release();
  }
}

/** Returns the statement that a function would run. */
export async function statementOf(run: (db: Db) => Promise<unknown>): Promise<Prepared> {
  let statement: Prepared | undefined;
  await run({
    async query(given) {
      statement = given as Prepared;
      return { rows: [], rowCount: 0 };
    },
  });
  return statement!;
}
