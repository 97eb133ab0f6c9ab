import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { sayUnreadable } from './refuse.ts';

export type ConnectionEnds = ReturnType<typeof createConnectionEnds>;

/** Tracks the latest response of each connection, and ends connections without losing a response. */
export function createConnectionEnds() {
  /** One entry for each connection: a listener for each request would cost a fifth of its time. */
  const latest = new WeakMap<Socket, ServerResponse>();
  /** Responses behind which something unreadable arrived. */
  const lastOnes = new WeakSet<ServerResponse>();
  let closing = false;

  return {
    latest: (socket: Socket): ServerResponse | undefined => latest.get(socket),

    /** Notes that a request has arrived. */
    begin(socket: Socket, response: ServerResponse): void {
      latest.set(socket, response);
      if (closing) response.setHeader('connection', 'close');
    },

    /** A pending response becomes the last one: a 400 in its place would deny what was done. */
    endUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
      const response = latest.get(socket as Socket);
      if (!response?.req.complete || response.writableFinished) {
        sayUnreadable(error, socket);
      } else if (!lastOnes.has(response)) {
        lastOnes.add(response);
        void finishResponse(response, socket as Socket);
      }
    },

    /**
     * Makes pending responses the last of their connections, and ends idle connections at once.
     *
     * @returns a promise for each pending response, resolved when it is sent or cut
     */
    endAll(sockets: Iterable<Socket>): Promise<void>[] {
      closing = true;
      const pending: Promise<void>[] = [];
      for (const socket of sockets) {
        const response = latest.get(socket);
        if (response && !response.writableFinished) pending.push(finishResponse(response, socket));
        else socket.destroy();
      }
      return pending;
    },
  };
}

/** Makes a response the last of its connection. Resolves when it is sent or cut. */
async function finishResponse(response: ServerResponse, socket: Socket): Promise<void> {
  if (!response.headersSent) response.setHeader('connection', 'close');
  await new Promise((resolve) => response.once('close', resolve));
  socket.destroySoon();
}
