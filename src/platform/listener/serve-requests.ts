import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Networks } from '../values/networks.ts';
import { problemOf } from './check-request.ts';
import type { ConnectionEnds } from './end-connections.ts';
import { maxPending } from './limits/limits.ts';
import { httpsOnly, refuse } from './refuse.ts';

export type PlainOptions = {
  /** Proxies whose `X-Forwarded-Proto` counts. */
  trustedProxies: Networks;
  /** Called for every plain-HTTP request that is refused, before its response. */
  onRefusedPlain?: ((request: IncomingMessage) => void) | undefined;
  log?: { warn(text: string): void } | undefined;
};

export type RequestHandlers = {
  /** Passes a request to the app. */
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** The same for plain HTTP, which is refused unless a trusted proxy says that its client used HTTPS. */
  servePlain(request: IncomingMessage, response: ServerResponse): void;
};

/** The handlers of the two HTTP servers, with TLS and without. */
export function createRequestHandlers(
  app: FastifyInstance,
  ends: ConnectionEnds,
  { trustedProxies, onRefusedPlain, log }: PlainOptions,
): RequestHandlers {
  /** How many requests of a connection arrived before the response to the previous one. */
  const pipelined = new WeakMap<Socket, number>();

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // A request after the last response is ignored.
    if (!socket.writable) return;
    const earlier = ends.latest(socket);
    ends.begin(socket, response);
    if (earlier && !earlier.writableFinished && !mayWait(socket, response)) {
      socket.destroy();
      return;
    }
    const problem = problemOf(request);
    if (problem === undefined) app.routing(request, response);
    else refuse(response, problem);
  }

  /** Without a limit, Node would read pipelined requests until memory runs out. */
  function mayWait(socket: Socket, response: ServerResponse): boolean {
    const others = pipelined.get(socket) ?? 0;
    if (others >= maxPending) return false;
    pipelined.set(socket, others + 1);
    response.once('close', () => pipelined.set(socket, pipelined.get(socket)! - 1));
    return true;
  }

  function servePlain(request: IncomingMessage, response: ServerResponse): void {
    if (trustedProxies.includes(request.socket.remoteAddress ?? '') && saysHttps(request)) {
      serve(request, response);
      return;
    }
    try {
      onRefusedPlain?.(request);
    } catch (error) {
      log?.warn(`A plain-HTTP request could not be recorded: ${error}`);
    }
    ends.begin(request.socket, response);
    refuse(response, httpsOnly);
  }

  return { serve, servePlain };
}

/** Each proxy appends a value, so the last one is from the proxy that is connected to us. */
function saysHttps(request: IncomingMessage): boolean {
  const values = String(request.headers['x-forwarded-proto'] ?? '').split(',');
  return values.at(-1)?.trim().toLowerCase() === 'https';
}
