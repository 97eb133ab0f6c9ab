import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { limitRest } from './limit-rest.ts';

export const withoutHost = 'The request has no Host header, which HTTP/1.1 asks for.';
export const httpsOnly =
  'HTTPS only: this service does not answer plain HTTP. Call it with https://. If a token was sent in this request, others may have seen it: revoke it.';
const lingerMs = 1_000;

/**
 * Answers 400 and closes the connection. Plain HTTP is never redirected: a redirected client would
 * keep sending its token in clear.
 */
export function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
  });
  response.end(errorBody(message));
}

/** For what is not HTTP at all, for headers that are too long, and for requests that are too slow. */
export function sayUnreadable(
  { code = '' }: { code?: string },
  socket: Duplex & { bytesRead?: number },
): void {
  // A reset, or a handshake that failed: there is nobody to read an answer.
  if (!/^(HPE|ERR_HTTP)_/.test(code) || socket.destroyed) {
    socket.destroy();
    return;
  }
  // A parser that has failed fails again on whatever comes; the answer is on its way.
  if (socket.writableEnded) return;
  // A connection that a browser keeps in hand. An answer now could meet a request that is on its way,
  // and would be taken for that one's; after an end without an answer a browser sends it again.
  if (socket.bytesRead === 0) {
    // What came while the service was busy is read first.
    setImmediate(() => {
      if (socket.bytesRead === 0) socket.destroy();
    });
    return;
  }
  const message =
    {
      HPE_HEADER_OVERFLOW: 'The headers of the request are too long.',
      ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
    }[code] ?? 'The request is not valid HTTP.';
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that never closes its side, or keeps sending, must not keep ours open.
  limitRest(socket);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function errorBody(message: string): string {
  return JSON.stringify({ success: false, message, errors: {} });
}
