import type pg from 'pg';

/**
 * Makes sure that there is a database, and one that Parley can use: what follows would fail at some
 * statement with words that say nothing to an operator.
 *
 * @throws Error that says what is wrong with it
 */
export async function checkDatabase(pool: pg.Pool): Promise<void> {
  const server = await describe(pool);
  if (server.number < 150_000) {
    throw new Error(`This is PostgreSQL ${server.version}; Parley needs 15 or newer.`);
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(
      `The database has the encoding ${server.encoding}; Parley needs UTF8: create database ... encoding 'UTF8' template template0.`,
    );
  }
  if (server.is_read_only) {
    throw new Error('The database takes no writes: it is a standby, or was set to be read-only.');
  }
  if (!server.can_create) {
    throw new Error(
      `The user "${server.user}" may not make tables and schemas in the database "${server.database}": alter database ... owner to the user.`,
    );
  }
}

type Server = {
  version: string;
  number: number;
  encoding: string;
  user: string;
  database: string;
  is_read_only: boolean;
  can_create: boolean;
};

async function describe(pool: pg.Pool): Promise<Server> {
  try {
    const { rows } = await pool.query<Server>(
      `select current_setting('server_version') as version,
              current_setting('server_version_num')::integer as number,
              current_setting('server_encoding') as encoding,
              current_user as user,
              current_database() as database,
              current_setting('transaction_read_only')::boolean as is_read_only,
              coalesce(has_schema_privilege(current_schema(), 'create'), false)
                and (has_database_privilege(current_database(), 'create')
                     or to_regnamespace('auth') is not null) as can_create`,
    );
    return rows[0]!;
  } catch (cause) {
    throw new Error(`No connection to the database: ${reasonOf(cause as Error)}`, { cause });
  }
}

const unknownAuthority =
  'its certificate is of an authority that is not known; name the file of that with sslrootcert=... in the address.';
/** Where Node's own words say nothing to somebody who wrote an address. */
const plainWords: Record<string, string> = {
  ERR_INVALID_URL:
    'its address cannot be read; in a user or password, write special characters by their codes, such as %23 for # and %2F for /.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  // How PgBouncer refuses the settings of a connection.
  '08P01':
    'the address seems to be that of a pooler such as PgBouncer; Parley pools by itself, and needs the address of the server.',
};

function reasonOf(error: Error): string {
  // A name with several addresses fails once for each.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return plainWords[(error as NodeJS.ErrnoException).code ?? ''] ?? error.message;
}
