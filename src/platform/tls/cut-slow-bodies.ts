import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sayUnreadable } from './refuse.ts';

const uploads = new WeakSet<IncomingMessage>();

/**
 * Lets the body of a request take as long as a large file over a bad line. Only for who has shown
 * who it is: whoever else drips a body holds a connection and memory.
 */
export function allowLongUpload(request: IncomingMessage): void {
  uploads.add(request);
}

/**
 * Cuts connections whose request has been arriving for `limitMs`, give or take one look, and those
 * that take nothing of their answer for `unreadMs`, at most twice that, as Node looks at what has
 * moved only then: what nobody reads is held in memory. Node's own limits are the same for every
 * request; and a timer for each would cost more than a look at all.
 *
 * @param answers the last answer of each connection
 * @returns stops looking
 */
export function cutSlowBodies(
  sockets: Iterable<Socket>,
  answers: WeakMap<Socket, ServerResponse>,
  { limitMs, unreadMs, everyMs }: { limitMs: number; unreadMs: number; everyMs: number },
): () => void {
  const firstSeen = new WeakMap<IncomingMessage, number>();

  function look(): void {
    const now = performance.now();
    for (const socket of sockets) {
      const answer = answers.get(socket);
      if (!answer) continue;
      const isLeaving = answer.headersSent && !answer.writableFinished;
      // Node ends it, and takes it off with the next request; whatever moves begins it anew.
      if (isLeaving && socket.timeout !== unreadMs) socket.setTimeout(unreadMs);
      if (answer.req.complete || uploads.has(answer.req)) continue;
      const since = firstSeen.get(answer.req) ?? now;
      firstSeen.set(answer.req, since);
      if (now - since < limitMs) continue;
      if (answer.headersSent) socket.destroy();
      else sayUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
    }
  }

  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}
