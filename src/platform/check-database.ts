import type pg from 'pg';

/**
 * Makes sure that there is a database, and one that Parley can use: what follows would fail at some
 * statement with words that say nothing to an operator.
 *
 * @throws Error that says what is wrong with it
 */
export async function checkDatabase(pool: pg.Pool): Promise<void> {
  const { version, number, encoding } = await describe(pool);
  if (number < 150_000) {
    throw new Error(`This is PostgreSQL ${version}; Parley needs 15 or newer.`);
  }
  if (encoding !== 'UTF8') {
    throw new Error(
      `The database has the encoding ${encoding}; Parley needs UTF8: create database ... encoding 'UTF8' template template0.`,
    );
  }
}

type Server = { version: string; number: number; encoding: string };

async function describe(pool: pg.Pool): Promise<Server> {
  const found = await pool
    .query<Server>(
      `select current_setting('server_version') as version,
              current_setting('server_version_num')::integer as number,
              current_setting('server_encoding') as encoding`,
    )
    .catch((cause) => {
      throw new Error(`No connection to the database: ${reasonOf(cause)}`, { cause });
    });
  return found.rows[0]!;
}

/** A name with several addresses fails once for each. */
function reasonOf(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map((each) => each.message).join('; ')
    : error.message;
}
