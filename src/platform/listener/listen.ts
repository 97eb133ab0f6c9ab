import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { Tls } from '../tls/load-tls.ts';
import { parseNetworks } from '../values/networks.ts';
import { acceptConnections, type Front } from './accept-connections.ts';
import { maxHeaders } from './check-request.ts';
import { cutSlowBodies } from './cut-slow-bodies.ts';
import { type ConnectionEnds, createConnectionEnds } from './end-connections.ts';
import { type ConnectionLimits, createConnectionLimiter } from './limit-connections.ts';
import { createRequestHandlers, type RequestHandlers } from './serve-requests.ts';

export type Listener = {
  url: string;
  port: number;
  /** Serves new connections with another certificate. */
  setTls(tls: Tls): void;
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
   * For tests: how long a client may take for its first byte, a TLS handshake, or its headers. A long upload
   * may take 180 times as long.
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

type Servers = { secure: https.Server; plain: http.Server };

/** Authenticated encryption with forward secrecy only. Node would add CBC, CCM and static RSA. */
const protocols = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    ...['ECDSA', 'RSA'].flatMap((key) => [
      `ECDHE-${key}-AES128-GCM-SHA256`,
      `ECDHE-${key}-AES256-GCM-SHA384`,
      `ECDHE-${key}-CHACHA20-POLY1305`,
    ]),
  ].join(':'),
} as const;
const noLimits = { total: Number.POSITIVE_INFINITY, perAddress: Number.POSITIVE_INFINITY };
const tlsHandshakeByte = 0x16;

/**
 * Serves an app on one port that speaks TLS. Plain HTTP is recognised by its first byte, and passed on only
 * if a trusted proxy says that its client used HTTPS.
 *
 * The app's own server never listens. Call `close()` before `app.close()`.
 */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listener> {
  await app.ready();
  const { log, slowClientMs = 10_000, slowBodyMs = 60_000, minimumRateAfterMs = 10_000 } = options;
  const checkEveryMs = Math.min(2_000, slowClientMs, slowBodyMs, minimumRateAfterMs);
  const ends = createConnectionEnds();
  const trustedProxies = parseNetworks(options.trustedProxies);
  const { onRefusedPlain, limits = noLimits, metrics } = options;
  const handlers = createRequestHandlers(app, ends, { trustedProxies, onRefusedPlain, log });
  const servers = createServers(options.tls, handlers, ends, { slowClientMs, checkEveryMs });
  const { secure, plain } = servers;

  /** Connections that speak HTTP, with or without TLS. */
  const open = new Set<Socket>();
  const keepOpen = (socket: Socket) => {
    open.add(socket);
    ends.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  secure.on('secureConnection', keepOpen);
  plain.on('connection', keepOpen);
  const stopCutting = cutSlowBodies(open, ends.latest, {
    limitMs: slowBodyMs,
    rateAfterMs: minimumRateAfterMs,
    unreadMs: 1.5 * slowBodyMs,
    everyMs: checkEveryMs,
  });

  const { host, port } = options;
  const limiter = createConnectionLimiter({ limits, trustedProxies, log, metrics });
  const front = await acceptConnections({ host, port, slowClientMs, limiter }, (socket, byte) => {
    (byte === tlsHandshakeByte ? secure : plain).emit('connection', socket);
  });
  front.server.on('error', ({ message }) => log?.warn(`The listener had an error: ${message}`));
  const bound = front.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `https://${hostInUrl(host)}:${bound.port}`,
    port: bound.port,
    setTls: (tls) => secure.setSecureContext({ cert: tls.cert, key: tls.key, ...protocols }),
    close() {
      stopCutting();
      closed ??= closeAll(front, servers, () => ends.endAll(open), options.graceMs ?? 3_000);
      return closed;
    },
  };
}

/** Creates the two servers. Neither listens: each gets the connections that speak its protocol. */
function createServers(
  { cert, key }: Tls,
  { serve, servePlain }: RequestHandlers,
  ends: ConnectionEnds,
  { slowClientMs, checkEveryMs }: { slowClientMs: number; checkEveryMs: number },
): Servers {
  const limits = {
    headersTimeout: slowClientMs,
    // For long uploads (`allowLongUpload`). Everything else is cut much earlier.
    requestTimeout: 180 * slowClientMs,
    // Longer than the minute for which load balancers keep idle connections, so that they end them first.
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: checkEveryMs,
    // Less than a TLS record, so that a request line with too long headers arrives in one piece, in which
    // `respondUnreadable` can recognise a HEAD.
    maxHeaderSize: 15 * 1024,
    // Node would refuse it without a body.
    requireHostHeader: false,
  };
  // curl offers only this protocol for HTTP/1.0, which WordPress uses.
  const ALPNProtocols = ['http/1.1', 'http/1.0'];
  const secure = https.createServer(
    { ...limits, cert, key, ...protocols, ALPNProtocols, handshakeTimeout: slowClientMs },
    serve,
  );
  const plain = http.createServer(limits, servePlain);
  // Without a listener, Node responds 417, which our API does not have, to an unknown Expect header.
  secure.on('checkExpectation', serve);
  plain.on('checkExpectation', servePlain);
  for (const server of [secure, plain]) {
    server.maxHeadersCount = maxHeaders;
    server.on('clientError', ends.endUnreadable);
    // Node starts to check for slow clients only at this event.
    server.emit('listening');
  }
  return { secure, plain };
}

async function closeAll(
  { server, sockets }: Front,
  { secure, plain }: Servers,
  endOpen: () => Promise<void>[],
  graceMs: number,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  const pending = endOpen();
  await Promise.race([Promise.all(pending), sleep(graceMs, undefined, { ref: false })]);
  if (pending.length > 0) await Promise.race([closed, sleep(50)]);
  for (const socket of sockets) socket.destroy();
  secure.close();
  plain.close();
  await closed;
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}
