import type { Database } from '../platform/database/database.ts';
import { isConnectionLost } from '../platform/database/failures/lost-connection.ts';
import { isWithoutConnection } from '../platform/database/failures/no-connection.ts';
import { createFlusher } from '../platform/jobs/flusher.ts';
import type { Log } from '../platform/log.ts';
import { logFailure } from '../platform/log-failure.ts';
import { insertRequests, type LoggedRequest } from './queries.ts';

const flushEveryMs = 1_000;
/** For each tenant between two flushes, once for successful requests and once for errors. */
const maxOfTenant = 10;
/** In all, besides one for each tenant. */
const maxRows = 2_000;

type Gathered = { rows: LoggedRequest[]; errors: number };

/**
 * Creates a collector of the requests of tokens, which adds them to the log every second, in one statement. Of a busy
 * tenant it keeps the first requests and the first errors of each second, and counts the others. A process that is
 * killed loses its last second.
 */
export function createRequestGatherer({ db, log }: { db: Database; log: Log }) {
  let current = new Map<number, Gathered>();
  let gathered = 0;
  /** Requests that could not be added while the database was away. */
  let waiting: LoggedRequest[] = [];
  const { schedule, flush } = createFlusher(flushEveryMs, addGathered);

  function of(tenantId: number): Gathered {
    const existing = current.get(tenantId);
    if (existing) return existing;
    const empty: Gathered = { rows: [], errors: 0 };
    current.set(tenantId, empty);
    return empty;
  }

  async function addGathered(): Promise<void> {
    const batch = [...waiting, ...[...current.values()].flatMap(({ rows }) => rows)];
    if (batch.length === 0) return;
    waiting = [];
    current = new Map();
    gathered = 0;
    try {
      await insertRequests(db.batched, batch);
    } catch (err) {
      const isAway = isConnectionLost(err) || isWithoutConnection(err);
      logFailure({ db, log }, err, 'requests could not be added to the log of requests');
      // PostgreSQL would reject it again.
      if (!isAway) return;
      waiting = batch.slice(-maxRows);
      schedule();
    }
  }

  return {
    /**
     * Notes a request that was responded to.
     *
     * @param describe is not called for a request that is only counted
     */
    note(tenantId: number, status: number, describe: () => LoggedRequest): void {
      const tenant = of(tenantId);
      const isError = status >= 400;
      const kept = isError ? tenant.errors : tenant.rows.length - tenant.errors;
      const last = tenant.rows.at(-1);
      if (last && (kept >= maxOfTenant || gathered + waiting.length >= maxRows)) {
        last.leftOut++;
        return;
      }
      tenant.rows.push(describe());
      gathered++;
      if (isError) tenant.errors++;
      schedule();
    },
    /** Adds the collected requests; to be awaited before the database closes. */
    flush,
  };
}
