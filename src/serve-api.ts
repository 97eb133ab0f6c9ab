import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { expiryOf } from './metrics/observe-process.ts';
import type { ConnectionLimits } from './platform/listener/limits/limit-connections.ts';
import { listen } from './platform/listener/listen.ts';
import type { Log } from './platform/log.ts';
import { openFileLimit } from './platform/open-file-limit.ts';
import { type Tls, watchTls } from './platform/tls/load-tls.ts';
import type { Services } from './services.ts';
import { createClearTokenRecorder } from './tenants/tokens/record-clear-token.ts';
import { tlsOptionsOf } from './tls-options.ts';

/**
 * Builds the app and listens on `PARLEY_PORT`, with the certificate and its renewals.
 *
 * @returns `drain` asks clients to leave; `close` ends requests that wait for events, and then the connections
 */
export async function serveApi(
  services: Services,
  tls: Tls,
): Promise<{ port: number; drain(): void; close(): Promise<void> }> {
  const { config, log, metrics } = services;
  const app = await buildApp(services);
  const recordTokenInClear = createClearTokenRecorder(services);
  const listener = await listen(app, {
    host: config.host,
    port: config.port,
    tls,
    trustedProxies: config.trustedProxies,
    limits: await connectionLimits(config, log),
    metrics,
    log,
    graceMs: config.stopGraceMs,
    onRefusedPlain: ({ headers }) => recordTokenInClear(headers.authorization),
  });
  metrics.certificateExpiry.set(expiryOf(tls.cert));
  const watch = watchTls({ ...tlsOptionsOf(config), log }, tls, (renewed) => {
    listener.setTls(renewed);
    metrics.certificateExpiry.set(expiryOf(renewed.cert));
    log.info('serving with a renewed TLS certificate');
  });
  return {
    port: listener.port,
    drain: listener.drain,
    async close() {
      watch.close();
      app.endWaits();
      await listener.close();
      await app.close();
    },
  };
}

/** Leaves the rest of the open files to the database, outbound calls, and Node itself. */
async function connectionLimits(config: Config, log: Log): Promise<ConnectionLimits> {
  const { maxConnections, maxConnectionsPerAddress: perAddress } = config;
  const openFiles = (await openFileLimit()) ?? Number.POSITIVE_INFINITY;
  const total = Math.min(maxConnections, Math.floor(openFiles * 0.75));
  if (total < maxConnections) {
    log.warn(
      `this process may open ${openFiles} files, so it serves ${total} connections at once instead of ${maxConnections}; raise the limit (LimitNOFILE of systemd, ulimit -n)`,
    );
  }
  return { total, perAddress };
}
