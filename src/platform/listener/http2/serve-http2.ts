import { constants } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { problemOfHttp2 } from '../check-request.ts';
import { refuse } from '../refuse.ts';
import { createHttp2Check, type Http2Limits } from './cut-http2.ts';
import { cutHttp2, type Http2Connection, openHttp2 } from './http2-connection.ts';
import type { Http2Request, Http2Response } from './http2-messages.ts';

/** Before a flood is noticed, a client can send as much as the machine reads in this time. */
const maxCheckMs = 500;

export type Http2Server = {
  /** Serves a connection whose client has chosen HTTP/2 in the TLS handshake. */
  accept(socket: TLSSocket): void;
  /**
   * Makes the open requests the last of their connections (GOAWAY). A connection that is opened later serves one
   * request. Clients open another connection for further ones.
   */
  announceEnd(): void;
  /**
   * Makes the open requests the last of their connections.
   *
   * @returns a promise for each open request, resolved when its response is sent or cut
   */
  endAll(): Promise<void>[];
  /** Stops checking for slow clients and floods. */
  stop(): void;
};

/** Serves an app over HTTP/2. */
export function createHttp2Server(
  app: FastifyInstance,
  limits: Http2Limits & { everyMs: number },
): Http2Server {
  const connections = new Set<Http2Connection>();
  const check = createHttp2Check(limits);
  const timer = setInterval(
    () => {
      for (const connection of connections) check(connection);
    },
    Math.min(limits.everyMs, maxCheckMs),
  ).unref();
  let closing = false;
  let isEndAnnounced = false;

  function serve(request: Http2Request, response: Http2Response): void {
    const problem = problemOfHttp2(request);
    if (problem !== undefined) {
      refuse(response, problem);
      return;
    }
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    // The app uses what both versions have.
    app.routing(request as never, response as never);
  }

  return {
    accept(socket) {
      const connection = openHttp2(socket, serve);
      connections.add(connection);
      socket.once('close', () => connections.delete(connection));
      if (closing) cutHttp2(connection, constants.NGHTTP2_NO_ERROR);
      else if (isEndAnnounced) connection.session.once('stream', () => connection.session.close());
    },
    announceEnd() {
      isEndAnnounced = true;
      for (const { session } of connections) session.close();
    },
    endAll() {
      closing = true;
      const pending: Promise<void>[] = [];
      for (const { session, open } of connections) {
        for (const { stream } of open) {
          pending.push(new Promise((resolve) => stream.once('close', () => resolve())));
        }
        session.close();
      }
      return pending;
    },
    stop: () => clearInterval(timer),
  };
}
