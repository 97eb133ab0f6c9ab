import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readAll, testListener } from '../../../../test/servers/listener.ts';

/** How many bytes of TLS or HTTP the listener has read, on all connections together. */
let read: number;
/** How often /hello was called. */
let greeted: number;
const listener = testListener((app) => {
  read = 0;
  greeted = 0;
  app.addHook('onRequest', async ({ raw }) => {
    raw.socket.once('close', () => {
      read += raw.socket.bytesRead;
    });
  });
  app.get('/hello', () => {
    greeted++;
    return { hello: 'world' };
  });
  app.post('/refused', {
    onRequest: async (_request, reply) => reply.code(401).send({ success: false }),
    handler: () => ({}),
  });
  app.post('/echo', { bodyLimit: 100_000 }, (request) => request.body as object);
});

const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
/** Far more than is read, and more than the system buffers. */
const endless = 64 * 1024 * 1024;

function head(method: string, path: string, ...headers: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
}

/** Sends chunk after chunk until the connection is cut. */
async function flood(socket: Socket, start: string): Promise<string> {
  const response = readAll(socket);
  let written = 0;
  const more = () => {
    while (!socket.destroyed && written < endless) {
      written += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', more);
  socket.write(start);
  more();
  const text = await response;
  expect(written).toBeLessThan(endless);
  return text;
}

const chunked = 'Transfer-Encoding: chunked';
const json = 'Content-Type: application/json';
const requests: [string, string][] = [
  ['after an early 401', head('POST', '/refused', chunked, json)],
  [
    'after an early 401 to a client that ends the connection',
    head('POST', '/refused', chunked, json, 'Connection: close'),
  ],
  ['after a 404', head('POST', '/nowhere', chunked, 'Content-Type: text/plain')],
  ['after a 400 because it is too long', head('POST', '/echo', chunked, json)],
  ['after the response to a GET', head('GET', '/hello', chunked)],
  [
    'after an early 401, with an announced length',
    head('POST', '/refused', 'Content-Length: 1000000000'),
  ],
];

test.each(requests)('an endless body is cut after another megabyte %s', async (_when, start) => {
  await listener.open();
  // A client that is cut while it writes may lose the response.
  expect(await flood(await listener.secure(), start)).toMatch(/^(HTTP\/1\.1 [24]\d\d |$)/);
  await expect.poll(() => read).toBeGreaterThan(0);
  expect(read).toBeLessThan(3_000_000);
});

test('an endless body over plain HTTP is cut a megabyte after it was refused', async () => {
  const { port } = await listener.open();
  const socket = new Socket().connect(port, '127.0.0.1');
  expect(await flood(socket, head('POST', '/refused', chunked))).toMatch(/^(HTTP\/1\.1 400 |$)/);
});

test('endless bytes that are not HTTP are cut', async () => {
  await listener.open();
  expect(await flood(await listener.secure(), '\0')).toMatch(/^(HTTP\/1\.1 400 |$)/);
});

test('after an early response the rest of a short body is read, and the connection stays open', async () => {
  await listener.open();
  const socket = await listener.secure();
  for (const [headers, rest] of [
    [['Content-Length: 300000'], 'x'.repeat(300_000)],
    [[chunked], `${chunk.repeat(3)}0\r\n\r\n`],
    [[chunked], `${chunk.repeat(10)}0\r\n\r\n`],
  ] as const) {
    socket.write(head('POST', '/refused', ...headers));
    const [data] = await once(socket, 'data');
    expect(String(data)).toMatch(/^HTTP\/1\.1 401 /);
    socket.write(rest);
  }
  socket.write(head('GET', '/hello', 'Connection: close'));
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*{"hello":"world"}$/);
});

test.each([
  ['an early 401', '/refused', ['Connection: close', 'Content-Length: 3000000'], 3_000_000],
  ['an early 401', '/refused', ['Connection: close', chunked], 14],
  ['that the body is too long', '/echo', ['Content-Length: 3000000'], 3_000_000],
  ['that the body is too long', '/echo', [chunked], 14],
])(
  'a client that sends its whole body before it reads receives %s of %s, %j',
  async (_what, path, headers, size) => {
    await listener.open();
    const socket = await listener.secure();
    socket.pause();
    socket.write(head('POST', path, json, ...headers));
    const body = size > 14 ? 'x'.repeat(size) : `${chunk.repeat(size)}0\r\n\r\n`;
    await new Promise((resolve) => socket.write(body, resolve));
    const [response] = await once(socket.resume(), 'data');
    expect(String(response)).toMatch(/^HTTP\/1\.1 4(01|13) [\s\S]*(false|too large)/);
    socket.destroy();
  },
);

test('a request after the last response is ignored', async () => {
  await listener.open();
  const socket = await listener.secure();
  socket.write(head('POST', '/refused', 'Connection: close', 'Content-Length: 10'));
  const [data] = await once(socket, 'data');
  expect(String(data)).toMatch(/^HTTP\/1\.1 401 /);
  socket.write(`${'x'.repeat(10)}${head('GET', '/hello')}`);
  expect(await readAll(socket)).toBe('');
  expect(greeted).toBe(0);
});
