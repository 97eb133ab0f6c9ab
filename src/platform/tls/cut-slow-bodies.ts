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
 * Cuts connections whose request has been arriving for `limitMs`, give or take one look. Node's own
 * limit is the same for every request; and a timer for each would cost more than a look at all.
 *
 * @param answers the last answer of each connection
 * @returns stops looking
 */
export function cutSlowBodies(
  sockets: Iterable<Socket>,
  answers: WeakMap<Socket, ServerResponse>,
  { limitMs, everyMs }: { limitMs: number; everyMs: number },
): () => void {
  const firstSeen = new WeakMap<IncomingMessage, number>();

  function look(): void {
    const now = performance.now();
    for (const socket of sockets) {
      const answer = answers.get(socket);
      if (!answer || answer.req.complete || uploads.has(answer.req)) continue;
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
