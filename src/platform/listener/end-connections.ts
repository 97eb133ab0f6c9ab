import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limitRest, mayHaveLongRest } from './limits/limit-rest.ts';
import { respondUnreadable } from './refuse.ts';

/** How long the rest of a body may take to arrive after the last response of a connection. */
export const lingerMs = 5_000;

export type ConnectionEnds = ReturnType<typeof createConnectionEnds>;

/** Tracks the latest response of each connection, and ends connections without losing a response. */
export function createConnectionEnds() {
  /** One entry for each connection. A listener for each request would cost a fifth of its time. */
  const latest = new WeakMap<Socket, ServerResponse>();
  /** Responses after which unreadable bytes arrived. */
  const lastOnes = new WeakSet<ServerResponse>();
  let closing = false;

  return {
    latest: (socket: Socket): ServerResponse | undefined => latest.get(socket),

    /**
     * Makes a new connection end without a reset while a body is still arriving. Node calls `destroySoon`.
     */
    add(socket: Socket): void {
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        const request = latest.get(socket)?.req;
        if (!request || request.complete || !socket.writable) destroySoon();
        else linger(socket, request, destroySoon);
      };
    },

    /** Records that a request has arrived. */
    begin(socket: Socket, response: ServerResponse): void {
      latest.set(socket, response);
      if (closing) response.setHeader('connection', 'close');
      const { req: request } = response;
      if (!mayHaveLongRest(request)) return;
      response.once('finish', () => {
        if (request.complete || !socket.writable) return;
        request.resume().once('end', limitRest(socket, request));
      });
    },

    /**
     * Handles unreadable bytes. A pending response becomes the last one. A 400 instead would be wrong, because
     * the request may have succeeded.
     */
    endUnreadable(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void {
      const response = latest.get(socket as Socket);
      if (response?.writableEnded && !response.req.complete) {
        // The rest of its body is unreadable, so what follows is not a request and gets no response.
        (socket as Socket).destroySoon();
      } else if (!response?.req.complete || response.writableFinished) {
        respondUnreadable(error, socket);
      } else if (!lastOnes.has(response)) {
        lastOnes.add(response);
        void finishResponse(response, socket as Socket);
      }
    },

    /** Makes each response the last of its connection from now on. Idle connections stay open for a request. */
    announceEnd(sockets: Iterable<Socket>): void {
      closing = true;
      for (const socket of sockets) {
        const response = latest.get(socket);
        if (response && !response.headersSent) response.setHeader('connection', 'close');
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

/** Ends our side of the connection and reads the rest of the body, within bounds. */
function linger(socket: Socket, request: IncomingMessage, destroySoon: () => void): void {
  socket.end();
  request.resume().once('end', destroySoon);
  limitRest(socket, request);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
