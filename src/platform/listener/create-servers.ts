import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import type { Tls } from '../tls/load-tls.ts';
import type { ConnectionEnds } from './end-connections.ts';
import { maxHeaderBytes, maxHeaders } from './limits/limits.ts';
import type { RequestHandlers } from './serve-requests.ts';

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

/** Creates the server of TLS handshakes. It does not listen; it gets the connections that begin one. */
export function createTlsServer(
  { cert, key }: Tls,
  handshakeTimeout: number,
  accept: (socket: TLSSocket) => void,
): tls.Server {
  // curl offers only HTTP/1.0 for HTTP/1.0, which WordPress uses.
  const ALPNProtocols = ['h2', 'http/1.1', 'http/1.0'];
  const server = tls.createServer({ cert, key, ...protocols, ALPNProtocols, handshakeTimeout });
  server.on('secureConnection', accept);
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

/** Serves new handshakes of a server with another certificate. */
export function replaceTls(server: tls.Server, { cert, key }: Tls): void {
  server.setSecureContext({ cert, key, ...protocols });
}

export type Http1Limits = {
  slowClientMs: number;
  uploadMs: number;
  idleMs: number;
  everyMs: number;
};

/** Creates a server of HTTP/1.1. It does not listen; it gets the connections that speak it. */
export function createHttp1Server(
  serve: RequestHandlers['serve'],
  ends: ConnectionEnds,
  { slowClientMs, uploadMs, idleMs, everyMs }: Http1Limits,
): http.Server<typeof IncomingMessage, typeof ServerResponse> {
  const server = http.createServer(
    {
      headersTimeout: slowClientMs,
      // For long uploads. Everything else is cut much earlier.
      requestTimeout: uploadMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: everyMs,
      maxHeaderSize: maxHeaderBytes,
      // Node would refuse it without a body.
      requireHostHeader: false,
    },
    serve,
  );
  // Without a listener, Node responds 417, which our API does not have, to an unknown Expect header.
  server.on('checkExpectation', serve);
  server.maxHeadersCount = maxHeaders;
  server.on('clientError', ends.endUnreadable);
  server.on('connection', (socket: Socket) => ends.add(socket));
  // Node starts to check for slow clients only at this event.
  server.emit('listening');
  return server;
}
