import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { safeHeaders } from '../http/safe-headers.ts';
import { limitRest } from './limits/limit-rest.ts';

export const httpsOnly =
  'HTTPS only: plain HTTP is refused. Call it with https://. If a token was sent in this request, others may have seen it: revoke it.';
export const headersTooLong = 'The headers of the request are too long.';
export const tooSlow = 'The request took too long to arrive.';
const lingerMs = 1_000;
const headers = {
  ...safeHeaders,
  'content-type': 'application/json; charset=utf-8',
  connection: 'close',
};

/** The headers of refusals over both versions of HTTP. */
type Response = {
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  end(body: string): unknown;
};

/**
 * Responds with 400 and, in HTTP/1.1, closes the connection. Plain HTTP is never redirected: a redirected client
 * would keep sending its token in clear.
 */
export function refuse(response: Response, message: string): void {
  response.writeHead(400, withId());
  response.end(errorBody(message));
}

/** Responds to bytes that are not HTTP, to headers that are too long, and to requests that are too slow. */
export function respondUnreadable(
  { code = '', rawPacket }: { code?: string; rawPacket?: Buffer },
  socket: Duplex & { bytesRead?: number },
): void {
  // A reset or a failed handshake: nobody can read a response.
  if (!/^(HPE|ERR_HTTP)_/.test(code) || socket.destroyed) {
    socket.destroy();
    return;
  }
  // A failed parser fails again on all further bytes. The response is already on its way.
  if (socket.writableEnded) return;
  // A spare connection of a browser. A response could be taken for that of a request on its way. If the
  // connection ends without one, the browser sends its request again.
  if (socket.bytesRead === 0) {
    // First read what arrived while the service was busy.
    setImmediate(() => {
      if (socket.bytesRead === 0) socket.destroy();
    });
    return;
  }
  const message =
    {
      HPE_HEADER_OVERFLOW: headersTooLong,
      ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
    }[code] ?? 'The request is not valid HTTP.';
  const body = errorBody(message);
  const lines = Object.entries(withId()).map(([name, value]) => `${name}: ${value}\r\n`);
  const isHead = rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
  socket.end(
    `HTTP/1.1 400 Bad Request\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${isHead ? '' : body}`,
  );
  // A client that never closes its side or keeps sending must not keep ours open.
  limitRest(socket);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Every response has an id. These refusals are not logged, so it leads only to the client's own log. */
function withId() {
  return { ...headers, 'x-request-id': randomUUID() };
}

function errorBody(message: string): string {
  return JSON.stringify({ success: false, message, errors: {}, code: 'bad_request' });
}
