import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sayUnreadable } from './refuse.ts';

const uploads = new WeakSet<IncomingMessage>();

/**
 * Lets the body of a request take as long as a large file over a slow line. Only for authenticated
 * callers: a body that arrives slowly holds a connection and memory.
 */
export function allowLongUpload(request: IncomingMessage): void {
  uploads.add(request);
}

/**
 * Cuts connections whose request has been arriving for `limitMs`, and those whose client has read
 * nothing of its response for `unreadMs` (Node notices this after up to twice that): what nobody reads
 * is held in memory. Both are exact to one check. Node's own limits are the same for every request,
 * and a timer for each request would cost more than one check of all connections.
 *
 * @param latest the latest response of a connection
 * @returns stops checking
 */
export function cutSlowBodies(
  sockets: Iterable<Socket>,
  latest: (socket: Socket) => ServerResponse | undefined,
  { limitMs, unreadMs, everyMs }: { limitMs: number; unreadMs: number; everyMs: number },
): () => void {
  const firstSeen = new WeakMap<IncomingMessage, number>();

  function check(): void {
    const now = performance.now();
    for (const socket of sockets) {
      const response = latest(socket);
      if (!response) continue;
      const isLeaving = response.headersSent && !response.writableFinished;
      // Node ends the connection at that time. It starts over with every byte that moves, and removes
      // the timeout with the next request.
      if (isLeaving && socket.timeout !== unreadMs) socket.setTimeout(unreadMs);
      if (response.req.complete || uploads.has(response.req)) continue;
      const since = firstSeen.get(response.req) ?? now;
      firstSeen.set(response.req, since);
      if (now - since < limitMs) continue;
      if (response.headersSent) socket.destroy();
      else sayUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
    }
  }

  const timer = setInterval(check, everyMs).unref();
  return () => clearInterval(timer);
}
