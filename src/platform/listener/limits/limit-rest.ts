import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';

type Request = { headers: IncomingHttpHeaders };

/** How much of a body is read after its response, if its length is unknown or too long. */
const maxRestBytes = 1_000_000;
/** A body is read whole if it announces at most this length, which is the maximum of all routes. */
const maxAnnouncedBytes = 4 * 1024 * 1024;

/** Whether a request needs `limitRest` after its response. */
export function mayHaveLongRest({ headers }: Request): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > maxRestBytes
  );
}

/**
 * Destroys a connection if too much more arrives on it. Some of a body must be read after an early response:
 * destroying the connection immediately would reset it, and a client that is still sending could lose the
 * response.
 *
 * Resume the request first, so that it is read.
 *
 * @param request whose rest is read; none for bytes that are not HTTP
 * @returns stops counting
 */
export function limitRest(socket: Duplex, request?: Request): () => void {
  const announced = Number(request?.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  const maxBytes = announced <= maxAnnouncedBytes ? announced : maxRestBytes;
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) socket.destroy();
  };
  // Node's parser reads the socket natively until there is a 'data' listener. If it is added while the socket
  // is paused, as it is while a body waits to be read, nothing would resume it.
  const start = setImmediate(() => socket.on('data', count));
  return () => {
    clearImmediate(start);
    socket.off('data', count);
  };
}
