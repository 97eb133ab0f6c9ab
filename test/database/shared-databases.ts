import type pg from 'pg';
import type { Database, ReadKind } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

type Shared = TestDatabase & { shape: string; schemaPools: Map<string, pg.Pool> };

/** Databases of this worker that no test file uses now, by their read timeouts. */
const unused = new Map<string, Shared[]>();

/**
 * Takes a database as the template has it. The test files of a worker use the same one after the other, with its
 * open connections and their prepared statements: a connection takes 50 ms of CPU time, and a file uses ten.
 * Instead of being dropped, the database is emptied. It is dropped if the file changed more than rows.
 */
export async function takeDatabase(
  readTimeoutsMs: Record<ReadKind, number>,
): Promise<TestDatabase> {
  const kind = JSON.stringify(readTimeoutsMs);
  const shared = unused.get(kind)?.pop() ?? (await createShared(readTimeoutsMs));
  const { db, endAll } = viewOf(shared);
  return {
    ...shared,
    db,
    async drop() {
      await endAll();
      if (!(await empty(shared))) return shared.drop();
      shared.statements.clear();
      unused.set(kind, [...(unused.get(kind) ?? []), shared]);
    },
  };
}

async function createShared(readTimeoutsMs: Record<ReadKind, number>): Promise<Shared> {
  const created = await createTestDatabase({ readTimeoutsMs });
  return { ...created, shape: await shapeOf(created.db), schemaPools: new Map() };
}

async function shapeOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ shape: string }>('select test_clock.shape() as shape');
  return rows[0]!.shape;
}

/** Empties a database, unless something else than its rows has changed, or somebody still uses it. */
async function empty({ db, shape }: Shared): Promise<boolean> {
  if (db.pool.ended) return false;
  try {
    if ((await shapeOf(db)) !== shape || (await isUsed(db))) return false;
    // A transaction that was left open holds its locks.
    await db.pool.query('set lock_timeout = 3000; select test_clock.empty(); reset lock_timeout');
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether another process, a connection of a test or a statement under way remains. They take a moment to end.
 */
async function isUsed(db: Database): Promise<boolean> {
  for (let tries = 0; tries < 40; tries++) {
    const { busy, idle, waiting } = db.usage();
    const { rows } = await db.pool.query<{ count: number }>(
      'select count(*)::int from pg_stat_activity where datname = current_database()',
    );
    // One connection listens.
    if (busy + waiting === 0 && rows[0]!.count <= idle + 1) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

/** The database for one test file: what listens or holds a lock in it ends with the file. */
function viewOf({ db, schemaPools }: Shared): { db: Database; endAll(): Promise<void> } {
  const ends = new Set<() => unknown>();
  return {
    db: {
      ...db,
      async listen(...given) {
        const end = await db.listen(...given);
        ends.add(end);
        return end;
      },
      async lockForLife(...given) {
        const release = await db.lockForLife(...given);
        const once = () => {
          if (ends.delete(once)) return release();
          return Promise.resolve();
        };
        ends.add(once);
        return once;
      },
      schemaPool(schema) {
        const pool = schemaPools.get(schema) ?? db.schemaPool(schema);
        schemaPools.set(schema, pool);
        return pool;
      },
    },
    async endAll() {
      for (const end of [...ends]) await end();
    },
  };
}
