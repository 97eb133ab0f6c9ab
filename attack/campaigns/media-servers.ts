import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { inParallel } from '../client.ts';
import type { Attack } from './campaign.ts';

const ok = 'HTTP/1.1 200 OK\r\n';
const image = `${ok}Content-Type: image/png\r\n`;

/** The responses of hostile servers: bytes, or a function that keeps writing until the socket closes. */
const behaviours: Record<string, string | ((socket: Socket) => void)> = {
  'blanks in a header': `${ok}X-A:${' '.repeat(60_000)}\n\r\nContent-Type: image/png\r\n\r\n`,
  'blanks before a letter': `${ok}X: a${' '.repeat(60_000)}b\r\n\r\n`,
  'endless headers': (socket) => repeat(socket, ok, 'X-Filler: abcdefghijklmnop\r\n'),
  'endless informational responses': (socket) => repeat(socket, '', 'HTTP/1.1 100 \r\n\r\n'),
  'endless body with a length': (socket) =>
    repeat(socket, `${image}Content-Length: 99999999999\r\n\r\n`, 'x'.repeat(16_384)),
  'endless chunks': (socket) =>
    repeat(
      socket,
      `${image}Transfer-Encoding: chunked\r\n\r\n`,
      `4000\r\n${'x'.repeat(0x4000)}\r\n`,
    ),
  'endless chunks of one byte': (socket) =>
    repeat(socket, `${image}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(1_000)),
  'endless chunk extension': (socket) =>
    repeat(socket, `${image}Transfer-Encoding: chunked\r\n\r\n1;`, 'a'.repeat(16_384)),
  'endless trailers': (socket) =>
    repeat(socket, `${image}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X: y\r\n'.repeat(1_000)),
  'a negative chunk': `${image}Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n`,
  'a huge chunk size': `${image}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFF\r\n`,
  'two lengths': `${image}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  'length and chunks': `${image}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'controls in the reason': 'HTTP/1.1 200 \x07\x08\x00\r\nContent-Type: image/png\r\n\r\n',
  'no status line': 'image/png please\r\n\r\n',
  'http/0.9': '<html>',
  'ends early': `${image}Content-Length: 1000\r\n\r\nabc`,
  'a redirect to itself': `HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n`,
  'a redirect to a private address':
    'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n',
  'a redirect to a file':
    'HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n',
  'switching protocols': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n',
  'one byte at a time': (socket) => drip(socket, `${image}Content-Length: 60\r\n\r\n`),
  'never answers': () => {},
};

/**
 * Sends media whose servers attack the service that checks them. The attacker's servers run here, each
 * behaviour on its own port.
 */
export async function attackByMedia({ scene, client, inputs, width }: Attack): Promise<void> {
  const servers = await Promise.all(
    Object.entries(behaviours).map(async ([name, behaviour]) => {
      const server = net.createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => {
          if (typeof behaviour === 'function') behaviour(socket);
          else socket.end(behaviour, 'latin1');
        });
        socket.setTimeout(60_000, () => socket.destroy());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { name, server, port: (server.address() as AddressInfo).port };
    }),
  );
  try {
    await inParallel(inputs, width, (index) => {
      const { port } = servers[index % servers.length]!;
      const type = ['image', 'document', 'video', 'audio'][index % 4];
      return client.send({
        campaign: 'media servers',
        method: 'POST',
        path: `/api/${scene.attacker.slug}/messages/media`,
        headers: {
          authorization: `Bearer ${scene.attacker.tokens[index % scene.attacker.tokens.length]}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          phone_number: '+14155550123',
          type,
          media_url: `http://127.0.0.1:${port}/${index}`,
        }),
        forbidden: scene.victim.canaries,
      });
    });
  } finally {
    for (const { server } of servers) server.close();
  }
}

/** Writes `part` again and again, as fast as the other side reads it. */
function repeat(socket: Socket, first: string, part: string): void {
  socket.write(first, 'latin1');
  const more = () => {
    while (!socket.destroyed && socket.write(part, 'latin1'));
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else socket.write(text[at++ % text.length]!);
  }, 200);
  socket.once('close', () => clearInterval(timer));
}
