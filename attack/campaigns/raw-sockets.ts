import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { inParallel } from '../client.ts';
import { openTls } from '../open-tls.ts';
import type { Attack } from './campaign.ts';
import { attackHttp2 } from './http2-frames.ts';

const campaign = 'raw sockets';

/** A slow client is cut within 65 s. A connection that is open for longer than this hangs. */
const cutWithinMs = 75_000;
const endlessBytes = 32 * 1024 * 1024;
/** The megabyte that the service may read, plus Linux's buffers of a connection. */
const maxWrittenBytes = 12 * 1024 * 1024;
const closeWithinMs = 5_000;

const hello = 'Host: localhost\r\n';
const smuggled = 'GET /api/victim/contacts HTTP/1.1\r\nHost: localhost\r\n\r\n';
const send = (slug: string) => `POST /api/${slug}/messages/send HTTP/1.1\r\n${hello}`;

/** Requests that parsers interpret differently. Each must get one 4xx or a cut, and never two responses. */
function smugglingForms(slug: string): string[] {
  const post = send(slug);
  return [
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n${smuggled}`,
    `${post}Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n5;${'a'.repeat(100_000)}\r\nhello\r\n0\r\n\r\n`,
    `${post}Content-Length: +5\r\n\r\nhello`,
    `${post}Content-Length: 5, 5\r\n\r\nhello`,
    `${post}Content-Length: 99999999999999999999\r\n\r\n`,
    `${post} Content-Length: 5\r\n\r\nhello`,
    `${post}X: a\r\n Content-Length: 5\r\n\r\nhello`,
    `GET / HTTP/1.1\r\n${hello}${hello}\r\n`,
    `GET / HTTP/1.1\r\n\r\n`,
    `GET / HTTP/2.0\r\n${hello}\r\n`,
    `GET / HTTP/9.9\r\n${hello}\r\n`,
    `GET /\r\n\r\n`,
    `POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET http://evil.example/api/${slug}/contacts HTTP/1.1\r\n${hello}\r\n`,
    `GET /\0 HTTP/1.1\r\n${hello}\r\n`,
    `GET / HTTP/1.1\r\n${hello}X\0Y: 1\r\n\r\n`,
    `GET / HTTP/1.1\r\n${hello}X: a\nSet-Cookie: b\r\n\r\n`,
    `GET / HTTP/1.1\r\n${hello}${'X: y\r\n'.repeat(5_000)}\r\n`,
    `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${hello}\r\n`,
    `HEAD / HTTP/1.1\r\n${hello}X: ${'a'.repeat(20_000)}\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `CONNECT evil.example:443 HTTP/1.1\r\n${hello}\r\n`,
    `GET / HTTP/1.1\r\n${hello}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    `GET / HTTP/1.1\r\n${hello}Expect: 100-continue\r\n\r\n`,
    `${'\r\n'.repeat(20_000)}GET / HTTP/1.1\r\n${hello}\r\n`,
    '\x16\x03\x01\x02\x00',
    'SSH-2.0-OpenSSH_9.2\r\n',
  ];
}

/**
 * Sends smuggling forms and endless bodies in quick succession, with slow clients, unread responses and the cases
 * of HTTP/2 at the same time.
 */
export async function attackSockets(attack: Attack): Promise<void> {
  const { scene, inputs, width } = attack;
  const forms = smugglingForms(scene.attacker.slug);
  const slow = Math.min(15, Math.floor(inputs / 100));
  const endless = Math.min(24, Math.ceil(inputs / 50));
  const held = Array.from({ length: slow }, () => slowKinds).flat();
  const quick = Math.max(forms.length, inputs - held.length - endless);
  await Promise.all([
    inParallel(quick, width, (index) => oneForm(attack, forms[index % forms.length]!)),
    inParallel(endless, 4, (index) => endlessBody(attack, index)),
    ...held.map((kind) => slowClient(attack, kind)),
    unreadResponses(attack),
    attackHttp2(attack, Math.ceil(inputs / 5)),
  ]);
}

async function oneForm({ scene, tally }: Attack, bytes: string): Promise<void> {
  const socket = await openTls(scene.url);
  const received = collect(socket);
  socket.write(bytes);
  // Long enough for a second response, which would be that of the smuggled request.
  await Promise.race([once(socket, 'close'), pause(150)]);
  socket.destroy();
  const text = received();
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));
  tally.add(campaign, statuses.at(-1));
  for (const status of statuses) {
    if (status >= 500) {
      tally.fault({ kind: 'server error', campaign, detail: `${status} ${bytes.slice(0, 120)}` });
    }
  }
  if (bytes.includes(smuggled) && statuses.filter((status) => status !== 100).length > 1) {
    tally.fault({ kind: 'breach', campaign, detail: `two responses: ${bytes.slice(0, 120)}` });
  }
}

/** Keeps sending an endless chunked body after an early error response. */
async function endlessBody({ scene, tally }: Attack, index: number): Promise<void> {
  const paths = [
    '/api/nobody/messages/send',
    `/api/${scene.victim.slug}/contacts`,
    '/auth/sign-in/email',
    `/api/webhooks/${'1'.repeat(32)}`,
    '/whatsapp/callbacks/nothing',
    `/dashboard-api/${scene.victim.slug}/contacts/imports`,
  ];
  const socket = await openTls(scene.url);
  const received = collect(socket);
  socket.write(
    `POST ${paths[index % paths.length]} HTTP/1.1\r\n${hello}Origin: ${scene.url}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
  let sent = 0;
  while (!socket.destroyed && sent < endlessBytes) {
    sent += 0x4000;
    if (!socket.write(chunk)) {
      await new Promise<void>((resolve) => {
        const go = () => {
          socket.off('drain', go).off('close', go);
          resolve();
        };
        socket.on('drain', go).on('close', go);
      });
    }
  }
  if (!socket.destroyed) await Promise.race([once(socket, 'close'), pause(closeWithinMs)]);
  const status = Number(/HTTP\/1\.1 (\d{3})/.exec(received())?.[1]) || undefined;
  tally.add(campaign, status);
  if (!socket.destroyed || socket.bytesWritten > maxWrittenBytes) {
    const detail = `${socket.bytesWritten} bytes read of an endless body to ${paths[index % paths.length]}`;
    tally.fault({ kind: 'breach', campaign, detail });
  }
  socket.destroy();
}

/**
 * Asks for long responses on one connection and reads none until all are there. The service may hold few of them in
 * memory.
 */
async function unreadResponses({ scene, tally }: Attack): Promise<void> {
  const socket = await openTls(scene.url);
  socket.pause();
  const ask = `GET /docs/swagger-ui-bundle.js HTTP/1.1\r\n${hello}`;
  socket.write(`${`${ask}\r\n`.repeat(29)}${ask}Connection: close\r\n\r\n`);
  await pause(2_000);
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('latin1');
  });
  socket.resume();
  await Promise.race([once(socket, 'close'), pause(30_000)]);
  socket.destroy();
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  tally.add(campaign, statuses.at(-1));
  if (!statuses.includes(429)) {
    const detail = `${statuses.length} unread responses were held in memory`;
    tally.fault({ kind: 'breach', campaign, detail });
  }
}

const slowKinds = ['silent', 'half handshake', 'slow headers', 'slow body'] as const;

/** Holds a connection as long as possible. The service must cut it. */
async function slowClient(
  { scene, tally }: Attack,
  kind: (typeof slowKinds)[number],
): Promise<void> {
  const startedAt = performance.now();
  const { hostname, port } = new URL(scene.url);
  const isPlain = kind === 'silent' || kind === 'half handshake';
  const socket = isPlain
    ? net.connect({ host: hostname, port: Number(port), localAddress: '127.0.0.3' })
    : await openTls(scene.url, '127.0.0.3');
  const closed = new Promise<void>((resolve) => {
    socket.once('close', resolve).on('error', () => {});
  });
  let isOpen = true;
  void closed.then(() => {
    isOpen = false;
  });
  socket.resume();
  if (kind === 'half handshake') socket.write('\x16\x03\x01\x00\xa5\x01\x00');
  if (kind === 'slow headers') socket.write('GET / HTTP/1.1\r\n');
  if (kind === 'slow body') {
    socket.write(`POST /auth/sign-in/email HTTP/1.1\r\n${hello}Origin: ${scene.url}\r\n`);
    socket.write('Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
  }
  while (isOpen && performance.now() - startedAt < cutWithinMs) {
    await Promise.race([closed, pause(2_000)]);
    if (!isOpen || isPlain) continue;
    socket.write(kind === 'slow headers' ? 'X: y\r\n' : ' ');
  }
  tally.add(campaign, undefined);
  if (isOpen) tally.fault({ kind: 'hang', campaign, detail: `${kind}: not cut` });
  socket.destroy();
}

function collect(socket: net.Socket): () => string {
  let text = '';
  socket.on('data', (data) => {
    if (text.length < 100_000) text += data.toString('latin1');
  });
  return () => text;
}
