import { withTimeout } from '../platform/concurrency/with-timeout.ts';

/** A slower response would come too late for health checks and scrapes. */
const maxQueryMs = 2_000;

/** Waits for a query, for at most two seconds. */
export function withQueryTimeout<Result>(query: Promise<Result>): Promise<Result> {
  return withTimeout(query, maxQueryMs, () => new Error('The database did not respond in time.'));
}
