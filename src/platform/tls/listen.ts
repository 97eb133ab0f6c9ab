import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { parseNetworks } from '../networks.ts';
import { cutSlowBodies } from './cut-slow-bodies.ts';
import type { Tls } from './load-tls.ts';
import { httpsOnly, refuse, sayUnreadable, withoutHost } from './refuse.ts';

export type Listener = {
  url: string;
  port: number;
  /** Serves new connections with another certificate. */
  setTls(tls: Tls): void;
  /** Stops taking connections, lets requests finish for `graceMs` at most, then cuts them. */
  close(): Promise<void>;
};

export type ListenOptions = {
  host: string;
  /** 0: any free one. */
  port: number;
  tls: Tls;
  /** Networks whose word on `X-Forwarded-Proto` counts. */
  trustedProxies: string[];
  /** Told of every plain-HTTP request that was refused, before it is answered. */
  onRefusedPlain?: (request: IncomingMessage) => void;
  log?: { warn(text: string): void } | undefined;
  graceMs?: number;
  /**
   * For tests: how long a client may take to say its first byte, a TLS hello, or its headers; a long
   * upload may take 180 times as long.
   */
  slowClientMs?: number;
  /**
   * For tests: how long any other request may take as a whole; nothing of an answer may be taken for
   * three times as long at most.
   */
  slowBodyMs?: number;
};

const minVersion = 'TLSv1.2';
const tlsHandshakeByte = 0x16;
/** Requests that a client may send before it has its answers; of more, its connection is cut. */
const mostWaiting = 32;

/**
 * Serves an app on one port that speaks TLS. Plain HTTP is told apart by its first byte, and
 * handed on only when a trusted proxy says that the client's side was HTTPS.
 *
 * The app's own server never listens; `close()` is ours to call before `app.close()`.
 */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listener> {
  await app.ready();
  const { slowClientMs = 10_000, slowBodyMs = 60_000 } = options;
  const proxies = parseNetworks(options.trustedProxies);
  /** As they came in; `open` are those that HTTP is spoken on, within TLS or without. */
  const sockets = new Set<Socket>();
  const open = new Set<Socket>();
  /** The last answer of each connection. No listener a request: that would cost a fifth of it. */
  const answers = new WeakMap<Socket, ServerResponse>();
  /** Those behind which came what cannot be read. */
  const lastAnswers = new WeakSet<ServerResponse>();
  /** How many requests of a connection came before the answer to the one before them. */
  const waiting = new WeakMap<Socket, number>();
  let closing = false;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const earlier = answers.get(socket);
    answers.set(socket, response);
    if (earlier && !earlier.writableFinished && !mayWait(socket, response)) {
      socket.destroy();
      return;
    }
    if (closing) response.setHeader('connection', 'close');
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse(request, response, withoutHost);
    } else app.routing(request, response);
  }

  /** Node reads on however many requests wait for an answer, until it has no memory left. */
  function mayWait(socket: Socket, response: ServerResponse): boolean {
    const others = waiting.get(socket) ?? 0;
    if (others >= mostWaiting) return false;
    waiting.set(socket, others + 1);
    response.once('close', () => waiting.set(socket, waiting.get(socket)! - 1));
    return true;
  }

  function servePlain(request: IncomingMessage, response: ServerResponse): void {
    if (proxies.includes(request.socket.remoteAddress ?? '') && saysHttps(request)) {
      serve(request, response);
      return;
    }
    try {
      options.onRefusedPlain?.(request);
    } catch (error) {
      options.log?.warn(`A plain-HTTP request could not be noted: ${error}`);
    }
    refuse(request, response, httpsOnly);
  }

  /** An answer that is due is the last one: a 400 in its place would deny what was done. */
  function endUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
    const answer = answers.get(socket as Socket);
    if (!answer?.req.complete || answer.writableFinished) {
      sayUnreadable(error, socket);
    } else if (!lastAnswers.has(answer)) {
      lastAnswers.add(answer);
      void finishAnswer(answer, socket as Socket);
    }
  }

  const lookEveryMs = Math.min(2_000, slowClientMs, slowBodyMs);
  const limits = {
    headersTimeout: slowClientMs,
    // Of those that may take long (`allowLongUpload`); all others are cut long before.
    requestTimeout: 180 * slowClientMs,
    // Longer than the minute for which load balancers keep a connection, so that they end it first.
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: lookEveryMs,
    maxHeaderSize: 16_384,
    // Node would refuse it with no body.
    requireHostHeader: false,
  };
  const { cert, key } = options.tls;
  // Asked for HTTP/1.0, as WordPress asks, curl names it in the handshake, and nothing else.
  const ALPNProtocols = ['http/1.1', 'http/1.0'];
  const secure = https.createServer(
    { ...limits, cert, key, minVersion, ALPNProtocols, handshakeTimeout: slowClientMs },
    serve,
  );
  const plain = http.createServer(limits, servePlain);
  // Node would answer 417, which is no status of ours, to an Expect that it does not know.
  secure.on('checkExpectation', serve);
  plain.on('checkExpectation', servePlain);
  for (const server of [secure, plain]) {
    server.on('clientError', endUnreadable);
    // Neither listens itself, and Node starts to watch for slow clients only on this event.
    server.emit('listening');
  }

  const stopCutting = cutSlowBodies(open, answers, {
    limitMs: slowBodyMs,
    unreadMs: 1.5 * slowBodyMs,
    everyMs: lookEveryMs,
  });

  const keepOpen = (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  secure.on('secureConnection', keepOpen);
  plain.on('connection', keepOpen);

  const front = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // a reset; 'close' follows
    readFirstByte(socket, slowClientMs, (byte) => {
      (byte === tlsHandshakeByte ? secure : plain).emit('connection', socket);
    });
  });
  front.listen(options.port, options.host);
  await once(front, 'listening').catch((error) => {
    throw explainListening(error, options);
  });
  front.on('error', (error) => options.log?.warn(`The listener had an error: ${error.message}`));
  const { port } = front.address() as AddressInfo;

  return {
    url: `https://${hostInUrl(options.host)}:${port}`,
    port,
    setTls: (tls) => secure.setSecureContext({ cert: tls.cert, key: tls.key, minVersion }),
    async close() {
      if (closing) return;
      closing = true;
      stopCutting();
      const closed = once(front, 'close');
      front.close();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      const finished: Promise<void>[] = [];
      for (const socket of open) {
        const answer = answers.get(socket);
        if (answer && !answer.writableFinished) finished.push(finishAnswer(answer, socket));
        else socket.destroy();
      }
      const graceMs = options.graceMs ?? 3_000;
      await Promise.race([Promise.all(finished), sleep(graceMs, undefined, { ref: false })]);
      if (finished.length > 0) await Promise.race([closed, sleep(50)]);
      for (const socket of sockets) socket.destroy();
      secure.close();
      plain.close();
      await closed;
    },
  };
}

/** Lets an answer be the last of its connection. Resolves when it is out, or cut. */
async function finishAnswer(answer: ServerResponse, socket: Socket): Promise<void> {
  if (!answer.headersSent) answer.setHeader('connection', 'close');
  await new Promise((resolve) => answer.once('close', resolve));
  socket.destroySoon();
}

/** Waits for a client to speak; one that leaves or stays silent is cut. */
function readFirstByte(socket: Socket, limitMs: number, then: (byte: number) => void): void {
  const drop = () => socket.destroy();
  socket.setTimeout(limitMs, drop);
  socket.once('end', drop);
  socket.once('data', (chunk: Buffer) => {
    socket.setTimeout(0, drop);
    socket.off('end', drop);
    socket.pause();
    socket.unshift(chunk);
    then(chunk[0] as number);
    // TLS reads what was put back by itself; an HTTP parser waits for the flow.
    process.nextTick(() => socket.resume());
  });
}

/** Each proxy appends, so the last value is the word of the one that speaks to us. */
function saysHttps(request: IncomingMessage): boolean {
  const values = String(request.headers['x-forwarded-proto'] ?? '').split(',');
  return values.at(-1)?.trim().toLowerCase() === 'https';
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}

function explainListening(error: NodeJS.ErrnoException, { host, port }: ListenOptions): Error {
  const reason =
    {
      EADDRINUSE: 'another program already listens there; stop it or set PARLEY_PORT',
      EACCES: 'this user may not use that port; set PARLEY_PORT to 1024 or more',
      EADDRNOTAVAIL: 'this machine has no such address; set PARLEY_HOST',
      ENOTFOUND: 'that host name is not known; set PARLEY_HOST to an address',
    }[error.code ?? ''] ?? error.message;
  return new Error(`Cannot listen on ${host} port ${port}: ${reason}.`, { cause: error });
}
