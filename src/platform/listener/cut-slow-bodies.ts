import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sayUnreadable } from './refuse.ts';

const uploads = new WeakSet<IncomingMessage>();
const hurried = new WeakSet<IncomingMessage>();

/** What a body must have on average once `rateAfterMs` are over. */
const minBytesPerSecond = 4 * 1024;

/**
 * Lets the body of a request take as long as a large file over a slow line. Only for authenticated
 * callers: a body that arrives slowly holds a connection and memory.
 */
export function allowLongUpload(request: IncomingMessage): void {
  uploads.add(request);
}

/** Has the connection of a request cut if its body arrives at less than 4 KiB/s. */
export function requireMinimumRate(request: IncomingMessage): void {
  hurried.add(request);
}

export type SlowLimits = {
  /** How long a request may take to arrive. */
  limitMs: number;
  /** How long the body of a caller who has not proved who they are may take before its rate counts. */
  rateAfterMs: number;
  /** How long a client may read nothing of its response. Node notices this after up to twice that. */
  unreadMs: number;
  everyMs: number;
};

/**
 * Cuts connections whose request takes too long to arrive or whose client does not read its response,
 * as what nobody reads is held in memory. Times are exact to one check. Node's own limits are the same
 * for every request, and a timer for each request would cost more than one check of all connections.
 *
 * @param latest the latest response of a connection
 * @returns stops checking
 */
export function cutSlowBodies(
  sockets: Iterable<Socket>,
  latest: (socket: Socket) => ServerResponse | undefined,
  { limitMs, rateAfterMs, unreadMs, everyMs }: SlowLimits,
): () => void {
  const firstSeen = new WeakMap<IncomingMessage, { at: number; bytes: number }>();

  function check(): void {
    const now = performance.now();
    for (const socket of sockets) {
      const response = latest(socket);
      if (!response) continue;
      const isLeaving = response.headersSent && !response.writableFinished;
      // Node ends the connection at that time. It starts over with every byte that moves, and removes
      // the timeout with the next request.
      if (isLeaving && socket.timeout !== unreadMs) socket.setTimeout(unreadMs);
      const { req: request } = response;
      if (request.complete || uploads.has(request) || !isTooSlow(request, socket, now)) continue;
      if (response.headersSent) socket.destroy();
      else sayUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
    }
  }

  function isTooSlow(request: IncomingMessage, socket: Socket, now: number): boolean {
    const since = firstSeen.get(request) ?? { at: now, bytes: socket.bytesRead };
    firstSeen.set(request, since);
    const ms = now - since.at;
    if (ms >= limitMs) return true;
    if (ms < rateAfterMs || !hurried.has(request)) return false;
    return socket.bytesRead - since.bytes < (minBytesPerSecond * ms) / 1_000;
  }

  const timer = setInterval(check, everyMs).unref();
  return () => clearInterval(timer);
}
