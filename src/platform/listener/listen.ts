import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { Tls } from '../tls/load-tls.ts';
import { parseNetworks } from '../values/networks.ts';
import { acceptConnections, type Front } from './accept-connections.ts';
import { createHttp1Server, createTlsServer, replaceTls } from './create-servers.ts';
import { createConnectionEnds, lingerMs } from './end-connections.ts';
import { createHttp2Server } from './http2/serve-http2.ts';
import { cutSlowBodies } from './limits/cut-slow-bodies.ts';
import { type ConnectionLimits, createConnectionLimiter } from './limits/limit-connections.ts';
import { createRequestHandlers } from './serve-requests.ts';

export type Listener = {
  url: string;
  port: number;
  /** Serves new connections with another certificate. */
  setTls(tls: Tls): void;
  /**
   * Asks clients to leave: each connection ends after its next response (`Connection: close`, GOAWAY). New ones are
   * still accepted.
   */
  drain(): void;
  /** Stops accepting connections, lets requests finish for up to `graceMs`, then cuts them. */
  close(): Promise<void>;
};

export type ListenOptions = {
  host: string;
  /** 0 for any free port. */
  port: number;
  tls: Tls;
  /** CIDR ranges of proxies whose `X-Forwarded-Proto` counts. */
  trustedProxies: string[];
  /** No limits if absent. */
  limits?: ConnectionLimits | undefined;
  metrics?: Pick<Metrics, 'connections' | 'refusedConnections'> | undefined;
  /** Called for every plain-HTTP request that is refused, before its response. */
  onRefusedPlain?: (request: IncomingMessage) => void;
  log?: { warn(text: string): void } | undefined;
  graceMs?: number;
  /**
   * For tests: how long a client may take for its first byte, a TLS handshake, or its headers. A connection
   * may be idle 6.5 times as long, and a long upload may take 180 times as long.
   */
  slowClientMs?: number;
  /**
   * For tests: how long any other request may take to arrive. A client that leaves its response unread is cut
   * after at most three times as long.
   */
  slowBodyMs?: number;
  /** For tests: when the minimum rate of a body begins to count (`requireMinimumRate`). */
  minimumRateAfterMs?: number;
};

const noLimits = { total: Number.POSITIVE_INFINITY, perAddress: Number.POSITIVE_INFINITY };
const tlsHandshakeByte = 0x16;

/**
 * Serves an app on one port that speaks TLS, over HTTP/2 or HTTP/1.1 as the client chooses in the handshake.
 * Plain HTTP is recognised by its first byte, and passed on only if a trusted proxy says that its client used
 * HTTPS.
 *
 * The app's own server never listens. Call `close()` before `app.close()`.
 */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listener> {
  await app.ready();
  const { log, slowClientMs = 10_000, slowBodyMs = 60_000, minimumRateAfterMs = 10_000 } = options;
  const everyMs = Math.min(2_000, slowClientMs, slowBodyMs, minimumRateAfterMs);
  const slow = {
    slowClientMs,
    // Longer than the minute for which load balancers keep idle connections, so that they end them first.
    idleMs: 6.5 * slowClientMs,
    limitMs: slowBodyMs,
    uploadMs: 180 * slowClientMs,
    rateAfterMs: minimumRateAfterMs,
    unreadMs: 1.5 * slowBodyMs,
    everyMs,
  };
  const ends = createConnectionEnds();
  const trustedProxies = parseNetworks(options.trustedProxies);
  const { onRefusedPlain, limits = noLimits, metrics } = options;
  const handlers = createRequestHandlers(app, ends, { trustedProxies, onRefusedPlain, log });
  const secure = createHttp1Server(handlers.serve, ends, slow);
  const plain = createHttp1Server(handlers.servePlain, ends, slow);
  const http2 = createHttp2Server(app, { ...slow, lingerMs });
  const tls = createTlsServer(options.tls, slowClientMs, (socket) => {
    if (socket.alpnProtocol === 'h2') http2.accept(socket);
    else secure.emit('connection', socket);
  });

  /** Connections that speak HTTP/1.1, with or without TLS. */
  const open = new Set<Socket>();
  for (const server of [secure, plain]) {
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
  }
  const stopCutting = cutSlowBodies(open, ends.latest, slow);

  const { host, port } = options;
  const limiter = createConnectionLimiter({ limits, trustedProxies, log, metrics });
  const front = await acceptConnections({ host, port, slowClientMs, limiter }, (socket, byte) => {
    (byte === tlsHandshakeByte ? tls : plain).emit('connection', socket);
  });
  front.server.on('error', ({ message }) => log?.warn(`The listener had an error: ${message}`));
  const bound = front.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `https://${hostInUrl(host)}:${bound.port}`,
    port: bound.port,
    setTls: (next) => replaceTls(tls, next),
    drain() {
      ends.announceEnd(open);
      http2.announceEnd();
    },
    close() {
      stopCutting();
      http2.stop();
      const endOpen = () => [...ends.endAll(open), ...http2.endAll()];
      closed ??= closeAll(front, [secure, plain], endOpen, options.graceMs ?? 3_000);
      return closed;
    },
  };
}

async function closeAll(
  { server, sockets }: Front,
  servers: Server[],
  endOpen: () => Promise<void>[],
  graceMs: number,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  const pending = endOpen();
  await Promise.race([Promise.all(pending), sleep(graceMs, undefined, { ref: false })]);
  // The last bytes, such as the notice that an HTTP/2 connection ends, are still on their way.
  await Promise.race([closed, sleep(50)]);
  for (const socket of sockets) socket.destroy();
  for (const each of servers) each.close();
  await closed;
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}
