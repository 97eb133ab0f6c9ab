import type pg from 'pg';
import { isOnStandby } from '../database/failures/no-connection.ts';
import type { Settings } from './connection-settings.ts';
import { PatientPool } from './patient-pool.ts';

/** How long a statement waits for a connection. While the database is lost, callers know sooner. */
const connectWithinMs = 10_000;
/** A request may wait twice: for the batch before its own, and then for a connection. */
const connectWithinMsIfLost = 1_000;
/** While other programs have taken all connections of the server. */
const connectWithinMsIfStarved = 2_000;

/**
 * Opens the pools of a process. If one finds that its connections lead to a standby, all of them close their idle
 * connections.
 *
 * @param isLost whether the database is lost, so that waiting is of little use
 * @param onError an idle connection failed
 */
export function createPools({
  configOf,
  isLost,
  onError,
}: {
  configOf(settings?: Settings): pg.PoolConfig;
  isLost(): boolean;
  onError(error: Error): void;
}) {
  const pools: PatientPool[] = [];

  function openPool(max: number, settings?: Settings): PatientPool {
    const opened = new PatientPool({ ...configOf(settings), max }, () => pools);
    // Read by the pool for each statement that waits, and for each new connection.
    Object.defineProperty(opened.options, 'connectionTimeoutMillis', {
      get() {
        if (isLost()) return connectWithinMsIfLost;
        return opened.isStarved ? connectWithinMsIfStarved : connectWithinMs;
      },
      enumerable: true,
    });
    opened.on('error', onError);
    // The user of a lost connection gets the error; without a listener it would also end the process.
    opened.on('connect', (client) => client.on('error', () => {}));
    opened.on('release', (error) => {
      if (isOnStandby(error)) for (const each of pools) each.closeIdle();
    });
    pools.push(opened);
    return opened;
  }

  return {
    openPool,
    /** Counts the connections, and the statements that wait for one. */
    usage() {
      const sum = (of: (each: pg.Pool) => number) =>
        pools.reduce((total, each) => total + of(each), 0);
      const idle = sum((each) => each.idleCount);
      return {
        busy: sum((each) => each.totalCount) - idle,
        idle,
        waiting: sum((each) => each.waitingCount),
      };
    },
    async close() {
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}
