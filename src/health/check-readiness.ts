import sql from 'sql-template-tag';
import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import { statement } from '../platform/database/statement.ts';
import { schemaVersion } from '../platform/migrating/schema-version.ts';
import type { Services } from '../services.ts';

/** Load balancers ask often, and anybody may ask. */
const rememberedMs = 500;
/** A slower response would come too late for a health check. */
const maxQueryMs = 2_000;

/** `stopping`: the process finishes its requests. The others are faults of the database. */
export type Readiness =
  | 'ready'
  | 'stopping'
  | 'no_database'
  | 'database_read_only'
  | 'schema_too_new';

export type ReadinessCheck = () => Promise<Readiness>;

/** Creates a check of whether this process can serve. All callers of half a second share one look at the database. */
export function createReadinessCheck({
  db,
  stopping,
}: Pick<Services, 'db' | 'stopping'>): ReadinessCheck {
  let latest: Promise<Readiness> | undefined;

  return async () => {
    if (stopping.aborted) return 'stopping';
    if (db.isLost()) return 'no_database';
    if (!latest) {
      latest = lookAtDatabase(db);
      setTimeout(() => {
        latest = undefined;
      }, rememberedMs).unref();
    }
    return latest;
  };
}

async function lookAtDatabase(db: Services['db']): Promise<Readiness> {
  const asked = db.query<{ is_read_only: boolean; oldest_program: number }>(
    statement(
      'find-whether-usable',
      sql`
        select current_setting('transaction_read_only')::boolean as is_read_only, oldest_program
        from schema_compatibility`,
    ),
  );
  try {
    const { rows } = await withTimeout(asked, maxQueryMs, () => new Error('too slow'));
    const { is_read_only, oldest_program } = rows[0]!;
    if (oldest_program > schemaVersion) return 'schema_too_new';
    return is_read_only ? 'database_read_only' : 'ready';
  } catch {
    return 'no_database';
  }
}
