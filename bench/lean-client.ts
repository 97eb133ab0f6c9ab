import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

type Request = { method: string; path: string; headers: Record<string, string> };

/**
 * One keep-alive connection that knows just enough of HTTP/1.1 to ask and to see the end of the
 * answer (which must have a Content-Length): on a machine that the server shares, what the load
 * generator does not spend is the server's.
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
  let answered: ((status: number) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  socket.on('data', (chunk: string) => {
    received += chunk;
    const bodyAt = received.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
    if (received.length < bodyAt + length) return;
    const status = Number(received.slice(9, 12));
    received = '';
    answered?.(status);
  });
  socket.on('close', () => failed?.(new Error('the server closed the connection')));
  socket.on('error', (error) => failed?.(error));

  return {
    /** Resolves with the status once the whole answer is here. */
    send(request: Buffer): Promise<number> {
      const answer = new Promise<number>((resolve, reject) => {
        answered = resolve;
        failed = reject;
      });
      socket.write(request);
      return answer;
    },
    close: () => socket.destroy(),
  };
}

/** A request as it goes over the wire. */
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
