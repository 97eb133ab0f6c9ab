import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { respondUnreadable } from '../refuse.ts';
import { type BodyLimits, createBodyCheck } from './limit-bodies.ts';

export type SlowLimits = BodyLimits & {
  /** How long a client may leave its response unread. Node notices after at most twice that. */
  unreadMs: number;
  everyMs: number;
};

/**
 * Cuts connections of HTTP/1.1 whose request takes too long to arrive or whose client does not read its
 * response, which is held in memory until then. Times are exact to one check. Node's own limits are the same
 * for every request, and a timer for each request would cost more than one check of all connections.
 *
 * @param latest the latest response of a connection
 * @returns stops checking
 */
export function cutSlowBodies(
  sockets: Iterable<Socket>,
  latest: (socket: Socket) => ServerResponse | undefined,
  limits: SlowLimits,
): () => void {
  const { unreadMs, everyMs } = limits;
  const isTooSlow = createBodyCheck(limits);

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
      if (request.complete || !isTooSlow(request, socket.bytesRead, now)) continue;
      if (response.headersSent) socket.destroy();
      else respondUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
    }
  }

  const timer = setInterval(check, everyMs).unref();
  return () => clearInterval(timer);
}
