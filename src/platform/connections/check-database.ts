import type pg from 'pg';
import { isConnectionLost } from '../database/failures/lost-connection.ts';
import { isWithoutConnection } from '../database/failures/no-connection.ts';

/** The database cannot be used now, but perhaps later: it does not respond, is starting, or is a standby. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway';
}

/**
 * Checks that the database can be reached and used. Otherwise some later statement would fail with a
 * message that says nothing to an operator.
 *
 * @throws Error that says what is wrong; DatabaseAway if that may pass
 */
export async function checkDatabase(pool: pg.Pool): Promise<void> {
  const server = await describe(pool);
  if (!server.has_settings) throw new Error(`No connection to the database: ${behindPooler}`);
  if (server.number < 150_000) {
    throw new Error(`This is PostgreSQL ${server.version}; Parley needs 15 or newer.`);
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(
      `The database has the encoding ${server.encoding}; Parley needs UTF8: create database ... encoding 'UTF8' template template0.`,
    );
  }
  if (server.is_read_only) {
    throw new DatabaseAway(
      'The database is read-only: it is a standby, or was set to be read-only.',
    );
  }
  if (!server.can_create) {
    throw new Error(
      `The user "${server.user}" may not create tables and schemas in the database "${server.database}". Make the user its owner: alter database ... owner to ...`,
    );
  }
}

/**
 * Finds out whether the operating system or PostgreSQL sorts text differently than when the indexes of the database were
 * built. They miss rows then. PostgreSQL itself only sends a notice to every connection.
 *
 * @returns what is wrong and what to do; undefined if nothing is wrong, or if the sort order has no version
 */
export async function findChangedOrder(
  pool: pg.Pool,
): Promise<{ found: string; fix: string } | undefined> {
  const { rows } = await pool.query<{ name: string; built: string; now: string | null }>(`
    select quote_ident(datname) as name, datcollversion as built,
           pg_database_collation_actual_version(oid) as now
    from pg_database
    where datname = current_database() and datcollversion is not null
      and datcollversion is distinct from pg_database_collation_actual_version(oid)`);
  if (!rows[0]) return undefined;
  const { name, built, now } = rows[0];
  return {
    found: `The server sorts text differently than when its indexes were built (version ${now ?? 'unknown'}, then ${built}), so they may miss rows.`,
    fix: `Stop Parley, and run: reindex database ${name}; alter database ${name} refresh collation version;`,
  };
}

type Server = {
  version: string;
  number: number;
  encoding: string;
  user: string;
  database: string;
  is_read_only: boolean;
  /** Whether the settings of our connections apply. A pooler may ignore them. */
  has_settings: boolean;
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
              coalesce(current_setting('parley.settings', true), '') = 'on' as has_settings,
              coalesce(has_schema_privilege(current_schema(), 'create'), false)
                and (has_database_privilege(current_database(), 'create')
                     or to_regnamespace('auth') is not null) as can_create`,
    );
    return rows[0]!;
  } catch (cause) {
    const Kind = isWithoutConnection(cause) || isConnectionLost(cause) ? DatabaseAway : Error;
    throw new Kind(`No connection to the database: ${reasonOf(cause as Error)}`, { cause });
  }
}

const behindPooler =
  'the address seems to be that of a pooler such as PgBouncer. Parley has its own pools and needs the address of the server, because it listens for notifications and sets planner options on its connections.';
const unknownAuthority =
  'its certificate was issued by an unknown authority. Name the file with the certificate of the authority: sslrootcert=... in the address.';
/** Messages in place of Node's own, which do not say what to change in the address. */
const plainMessages: Record<string, string> = {
  ERR_INVALID_URL:
    'its address is not a valid URL. Encode special characters in the user and password, such as %23 for # and %2F for /.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  // PgBouncer refuses the settings of a connection with this code.
  '08P01': behindPooler,
};

function reasonOf(error: Error): string {
  // A name with several addresses fails once for each.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return plainMessages[(error as NodeJS.ErrnoException).code ?? ''] ?? error.message;
}
