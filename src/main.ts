import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, publicUrl } from './config.ts';
import { listenForOperator } from './metrics/listen-for-operator.ts';
import { openServices, warnOfWait } from './open-services.ts';
import { phonePage } from './phone-page.ts';
import { type CloseStep, closeInOrder } from './platform/concurrency/close-in-order.ts';
import { findChangedOrder } from './platform/connections/check-database.ts';
import { waitForDatabase } from './platform/connections/wait-for-database.ts';
import { schemaLockClass } from './platform/database/advisory-locks.ts';
import { schemaVersion } from './platform/migrating/schema-version.ts';
import { releaseMemoryWhenIdle } from './platform/release-memory.ts';
import { showKeys } from './platform/secrets/keys-in-use.ts';
import { loadTls } from './platform/tls/load-tls.ts';
import { serveApi } from './serve-api.ts';
import type { Services } from './services.ts';
import { type Simulator, startSimulator } from './simulator/start-simulator.ts';
import { tlsOptionsOf } from './tls-options.ts';
import { startWorkers } from './workers.ts';

export type Running = {
  services: Services;
  /** The address of the service. If this process runs only workers, another process serves there. */
  url: string;
  /** The certificate of the authority that clients must trust; absent with an own certificate. */
  authorityPath: string | undefined;
  /** Present if requested. */
  simulator: Simulator | undefined;
  /** The address of `/metrics` and `/health`, if enabled. */
  metricsUrl: string | undefined;
  /**
   * Stops everything that this process started, once. Background work stops immediately. Requests are served for
   * `drainMs` more while `/readyz` reports 503; then those in progress may finish within PARLEY_STOP_GRACE_MS.
   * Called again without a time, it stops waiting for further requests.
   */
  close(drainMs?: number): Promise<void>;
};

/**
 * Wires everything: settings, database, HTTP, workers, and the simulator if requested.
 *
 * @param check runs before anything listens or works, and may refuse the start
 */
export async function start(
  config: Config,
  {
    simulator: withSimulator,
    check,
  }: { simulator: boolean; check?: (services: Services) => Promise<void> },
): Promise<Running> {
  const waitMs = config.databaseWaitSeconds * 1_000;
  const { services: opened, close: closeServices } = await openServices(config, { waitMs });
  const steps: CloseStep[] = [{ name: 'services', close: closeServices, withinMs: 4_000 }];
  const stopping = new AbortController();
  const drained = Promise.withResolvers<void>();
  let drain = async (_forMs: number) => {};
  let closed: Promise<void> | undefined;
  const stop = async (drainMs: number) => {
    stopping.abort();
    await drain(drainMs);
    await closeInOrder(steps.toReversed(), opened.log);
  };
  const close = (drainMs = 0) => {
    closed ??= stop(drainMs);
    if (drainMs === 0) drained.resolve();
    return closed;
  };
  try {
    await check?.(opened);
    const changed = await findChangedOrder(opened.db.pool);
    if (changed) opened.log.warn(`${changed.found} ${changed.fix}`);
    const tls = await loadTls(tlsOptionsOf(config));
    for (const doubt of tls.doubts) opened.log.warn(doubt);
    if (tls.replaced) {
      opened.log.warn(
        `a new local authority was created: clients must trust ${tls.authorityPath}. The old one expired, or could not sign for this host; it is in ${tls.replaced}`,
      );
    }

    const simulator = withSimulator ? await simulate(config) : undefined;
    if (simulator) steps.push({ name: 'simulator', close: () => simulator.close() });
    const services: Services = {
      ...opened,
      simulatorUrl: simulator?.url,
      stopping: stopping.signal,
    };
    // Migrations that would break this process are refused while it runs, and so is a change of the master key.
    await waitForDatabase(
      async () => {
        await showKeys(services);
        await services.db.lockForLife(schemaLockClass, schemaVersion);
      },
      waitMs,
      (error) => warnOfWait(services.log, error),
    );
    await services.holds.watch();
    steps.push({ name: 'holds', close: async () => services.holds.close() });

    const api = config.roles.includes('api') ? await serveApi(services, tls) : undefined;
    const stopWorkers = config.roles.includes('workers') ? startWorkers(services) : undefined;
    let workersStopped: Promise<void> | undefined;
    const closeWorkers = async () => {
      workersStopped ??= stopWorkers?.();
      await workersStopped;
    };
    // Longer than the workers wait for calls in progress.
    steps.push({ name: 'workers', close: closeWorkers, withinMs: 2_000 });
    if (api) {
      steps.push({ name: 'listener', close: api.close, withinMs: config.stopGraceMs + 1_000 });
    }
    drain = async (forMs) => {
      void closeWorkers().catch(() => {});
      if (!api) return;
      api.drain();
      await Promise.race([sleep(forMs, undefined, { ref: false }), drained.promise]);
    };

    const { metricsHost: host, metricsPort } = config;
    const operator =
      metricsPort === undefined
        ? undefined
        : await listenForOperator(services, { host, port: metricsPort });
    // Closed late, so that it reports that this process stops.
    if (operator) steps.splice(1, 0, { name: 'metrics', close: operator.close });

    const stopReleasing = releaseMemoryWhenIdle();
    steps.push({ name: 'memory', close: async () => stopReleasing() });
    // The compile cache makes the next start faster, also if this process is killed. (0.2 s the first time.)
    setImmediate(flushCompileCache);
    return {
      services,
      url: publicUrl({ ...config, port: api?.port ?? config.port }),
      authorityPath: tls.authorityPath,
      simulator,
      metricsUrl: operator?.url,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function simulate({ simulatorPort: port, dataDir }: Config): Promise<Simulator> {
  const stateFile = `${dataDir}/simulator.json`;
  return startSimulator({ port, page: phonePage, stateFile, window: true }).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(
      `The simulator cannot listen on port ${port}: another program or demo already listens there. Stop it or set PARLEY_SIMULATOR_PORT.`,
      { cause: error },
    );
  });
}
