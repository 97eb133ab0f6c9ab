import type pg from 'pg';
import type { Database } from '../../src/platform/database/database.ts';

export type Statements = {
  /** The texts of all statements of the program. */
  texts: Set<string>;
  /** The names of the statements that the program ran on a connection. */
  namesOn(client: object): Set<string>;
  /** Forgets everything, for the next test file. */
  clear(): void;
};

/**
 * Records the statements of the program. Statements of the tests themselves are plain strings and are left
 * out.
 */
export function recordStatements(db: Database): Statements {
  const texts = new Set<string>();
  let names = new WeakMap<object, Set<string>>();
  const namesOn = (client: object) => {
    const found = names.get(client) ?? new Set();
    names.set(client, found);
    return found;
  };
  const ofReads = Object.values(db.reads).flatMap((each) => [each, each.batched]);
  for (const pool of [db.pool, db.batched, db.fair, ...ofReads] as pg.Pool[]) {
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((given: unknown, ...rest: unknown[]) => {
        if (typeof given === 'object' && given) {
          const { text, name } = given as { text: string; name?: string };
          texts.add(text);
          if (name) namesOn(client).add(name);
        }
        return query(given, ...rest);
      }) as typeof client.query;
    });
  }
  return {
    texts,
    namesOn,
    clear() {
      texts.clear();
      names = new WeakMap();
    },
  };
}
