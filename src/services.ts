import type { Config } from './config.ts';
import { createRateMover } from './limits/move-rates.ts';
import { createStorage, type Storage } from './media/storage/storage.ts';
import { createTenantHolds, type TenantHolds } from './moving/holding/tenant-holds.ts';
import { type Clock, createClock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { createWorkInProgress, type WorkInProgress } from './platform/jobs/work-in-progress.ts';
import { createLog, type Log } from './platform/log.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { createOutbound, type Outbound } from './platform/outbound/outbound.ts';
import { createVault, type Vault } from './platform/secrets/crypto.ts';
import { noTracing, type Tracing } from './platform/tracing/tracing.ts';
import { createNetworkClient, type NetworkClient } from './whatsapp/client.ts';

/** The dependencies of all features. Created in one place and passed as plain arguments. */
export type Services = {
  config: Config;
  db: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  network: NetworkClient;
  /** HTTP to addresses that tenants choose. */
  outbound: Outbound;
  /** The same for files of messages, which may be on plain HTTP, because the network accepts that. */
  files: Outbound;
  /** Copies of inbound files. */
  storage: Storage;
  networkUrl: string;
  inProgress: WorkInProgress;
  /** Tenants that take no writes, because they move to another cell. */
  holds: TenantHolds;
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal;
  /**
   * The address of the simulator of `parley demo`. Undefined in every other process: there, simulated numbers
   * are not used, not listed, and cannot be connected.
   */
  simulatorUrl: string | undefined;
};

export function createServices({
  config,
  db,
  masterKeys,
  log = createLog(config.logLevel),
  clock = createClock(),
  tracing = noTracing,
  simulatorUrl,
  stopping = new AbortController().signal,
}: {
  config: Config;
  db: Database;
  masterKeys: Buffer[];
  log?: Log;
  clock?: Clock;
  tracing?: Tracing;
  simulatorUrl?: string;
  stopping?: AbortSignal;
}): Services {
  const metrics = createMetrics();
  const inProgress = createWorkInProgress();
  const { allowPrivateAddresses: allowPrivate } = config;
  return {
    config,
    db,
    clock,
    log,
    metrics,
    tracing,
    vault: createVault(...masterKeys),
    network: createNetworkClient({
      version: config.networkVersion,
      timeoutMs: config.networkTimeoutMs,
      messagesPerSecond: config.messagesPerSecond,
      moveRate: createRateMover(db),
      metrics,
      tracing,
    }),
    outbound: createOutbound({ allowPrivate }),
    files: createOutbound({ allowPrivate, requireHttps: false }),
    storage: createStorage(config),
    networkUrl: config.networkUrl,
    inProgress,
    holds: createTenantHolds({ db, log, inProgress }),
    stopping,
    simulatorUrl,
  };
}
