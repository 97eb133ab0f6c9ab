import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { respondUnreadable } from './refuse.ts';

const uploads = new WeakSet<IncomingMessage>();
const hurried = new WeakSet<IncomingMessage>();

/** The minimum average rate of a body after `rateAfterMs`. */
const minBytesPerSecond = 4 * 1024;

/**
 * Allows the body of a request to take as long as a large file over a slow line. Only for authenticated
 * callers: a body that arrives slowly holds a connection and memory.
 */
export function allowLongUpload(request: IncomingMessage): void {
  uploads.add(request);
}

/** Requires the body of a request to arrive at 4 KiB/s at least; otherwise its connection is cut. */
export function requireMinimumRate(request: IncomingMessage): void {
  hurried.add(request);
}

export type SlowLimits = {
  /** How long a request may take to arrive. */
  limitMs: number;
  /** How long the body of an unauthenticated caller may take before its rate is checked. */
  rateAfterMs: number;
  /** How long a client may leave its response unread. Node notices after at most twice that. */
  unreadMs: number;
  everyMs: number;
};

/**
 * Cuts connections whose request takes too long to arrive or whose client does not read its response, which
 * is held in memory until then. Times are exact to one check. Node's own limits are the same for every
 * request, and a timer for each request would cost more than one check of all connections.
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
      // Node ends the connection at this timeout. It restarts with every byte that moves, and Node removes it
      // with the next request.
      if (isLeaving && socket.timeout !== unreadMs) socket.setTimeout(unreadMs);
      const { req: request } = response;
      if (request.complete || uploads.has(request) || !isTooSlow(request, socket, now)) continue;
      if (response.headersSent) socket.destroy();
      else respondUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
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
