import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { makeScratchFolder } from '../../test/database/scratch.ts';
import { createMetrics } from '../platform/metrics.ts';
import { loadTls } from '../platform/tls/load-tls.ts';
import { noTracing } from '../platform/tracing/tracing.ts';
import { createNetworkClient } from './client.ts';
import { createGraph } from './graph.ts';
import { createMediaOpener } from './media.ts';

const graph = createGraph({ version: 'v25.0', timeoutMs: 1_000 });
const closing: (() => unknown)[] = [() => graph.close()];
afterAll(async () => {
  for (const close of closing) await close();
});

async function start(server: Server, scheme: string) {
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {})));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const networkUrl = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { networkUrl, phoneNumberId: '1', accessToken: 'x' };
}

async function call(server: Server, scheme = 'http') {
  return graph.call(await start(server, scheme), 'POST', '/1/messages', {});
}

test('a call that found no usable connection has not left', async () => {
  const credentials = { networkUrl: 'http://127.0.0.1:1', phoneNumberId: '1', accessToken: 'x' };
  const refused = await graph.call(credentials, 'POST', '/1/messages', {});
  expect(refused).toMatchObject({ received: false, left: false });

  const plain = await call(createHttp(), 'https');
  expect(plain).toMatchObject({
    left: false,
    cause: { message: 'This port does not speak TLS.' },
  });

  const dataDir = await makeScratchFolder('parley-graph-');
  closing.push(() => rm(dataDir, { recursive: true }));
  const untrusted = createHttps(await loadTls({ dataDir, names: [] }));
  expect(await call(untrusted, 'https')).toMatchObject({
    left: false,
    cause: { message: expect.stringContaining('not trusted: its authority is unknown') },
  });

  const hangingUp = createTcp((socket) => socket.once('data', () => socket.destroy()));
  expect(await call(hangingUp, 'https')).toMatchObject({ received: false, left: false });

  const silent = createTcp((socket) => socket.resume());
  expect(await call(silent, 'https')).toMatchObject({ received: false, left: false });
});

test('a call whose response was lost may have had its effect', async () => {
  const hangingUp = createHttp((request) => request.socket.destroy());
  expect(await call(hangingUp)).toMatchObject({ received: false, left: true });

  const silent = createHttp((request) => request.resume());
  expect(await call(silent)).toMatchObject({
    left: true,
    cause: { message: 'No response within 1000 ms.' },
  });
});

test.each([
  ['content', 'HTTP/1.1 200 OK\r\n\r\n', 'x', /^more than 4000000 bytes$/],
  ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n', /^The headers of the response are too long/],
  [
    'informational responses',
    '',
    'HTTP/1.1 103 \r\n\r\n',
    /^The host sent more than 8 informational/,
  ],
  [
    'chunks of one byte',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    '1\r\nx\r\n',
    /^The response has too many bytes besides its body/,
  ],
])(
  'a response with endless %s is cut off, and the message may have been sent',
  async (_, first, again, message) => {
    const patient = createGraph({ version: 'v25.0', timeoutMs: 60_000 });
    closing.push(() => patient.close());
    let closed = 0;
    const endless = createTcp((socket) => {
      socket.on('close', () => closed++);
      const block = again.repeat(10_000);
      const more = () => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.once('data', () => socket.write(first) && more()).on('drain', more);
    });
    const number = await start(endless, 'http');
    expect(await patient.call(number, 'POST', '/1/messages', {})).toMatchObject({
      received: false,
      left: true,
      cause: { message: expect.stringMatching(message) },
    });
    await expect.poll(() => closed).toBe(1);
  },
);

test('after a redirect the outcome of a send is unknown', async () => {
  const client = createNetworkClient({
    version: 'v25.0',
    timeoutMs: 1_000,
    messagesPerSecond: 0,
    moveRate: async () => 0,
    metrics: createMetrics(),
    tracing: noTracing,
  });
  closing.push(() => client.close());
  const redirecting = createHttp((_, response) => response.writeHead(302, { location: '/' }).end());
  const number = { ...(await start(redirecting, 'http')), tenantId: 1 };
  const content = { type: 'text', text: { body: 'Oi' } } as const;
  expect(await client.sendMessage(number, '+14155550123', { content }, '1')).toMatchObject({
    outcome: 'unknown',
    cause: { message: 'HTTP 302 without a Graph error' },
  });
});

test('the access token is sent to a file’s host only over TLS, or if that host is the network itself', async () => {
  const media = createMediaOpener(graph, 1_000);
  closing.push(() => media.close());
  const seen: unknown[] = [];
  const elsewhere = createHttp((request, response) => {
    seen.push(request.headers.authorization);
    response.end('file');
  });
  const { networkUrl: other } = await start(elsewhere, 'http');
  let url = `${other}/file`;
  const network = createHttp((request, response) =>
    response.end(request.url === '/file' ? 'file' : JSON.stringify({ url })),
  );
  const number = await start(network, 'http');
  expect(await media.open(number, '7')).toMatchObject({ outcome: 'refused' });
  expect(seen).toEqual([]);

  url = `${number.networkUrl}/file`;
  const file = await media.open(number, '7');
  expect(file.outcome === 'open' && (await text(file.body))).toBe('file');
});
