import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

type Request = { method: string; path: string; headers: Record<string, string> };

/**
 * Opens one keep-alive connection that supports just enough of HTTP/1.1 to send a request and find the end of
 * the response (which must have a Content-Length). It shares the machine with the server, so it must use
 * little CPU.
 */
export async function connectLean(url: URL) {
  const port = Number(url.port);
  const socket =
    url.protocol === 'https:'
      ? tls.connect({ host: url.hostname, port, rejectUnauthorized: false })
      : net.connect({ host: url.hostname, port });
  await once(socket, url.protocol === 'https:' ? 'secureConnect' : 'connect');
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  let received = '';
  let resolveResponse: ((status: number) => void) | undefined;
  let rejectResponse: ((error: Error) => void) | undefined;
  socket.on('data', (chunk: string) => {
    received += chunk;
    const bodyAt = received.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
    if (received.length < bodyAt + length) return;
    const status = Number(received.slice(9, 12));
    received = '';
    resolveResponse?.(status);
  });
  socket.on('close', () => rejectResponse?.(new Error('the server closed the connection')));
  socket.on('error', (error) => rejectResponse?.(error));

  return {
    /** Resolves with the status after the whole response. */
    send(request: Buffer): Promise<number> {
      const response = new Promise<number>((resolve, reject) => {
        resolveResponse = resolve;
        rejectResponse = reject;
      });
      socket.write(request);
      return response;
    },
    close: () => socket.destroy(),
  };
}

/** Encodes a request. */
export function requestBytes(
  { host }: URL,
  { method, path, headers }: Request,
  body: Buffer | string = '',
): Buffer {
  const all = { host, ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return Buffer.concat([head, Buffer.from(body)]);
}
