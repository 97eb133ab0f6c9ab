import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readAll, testListener } from '../../../../test/servers/listener.ts';
import { sendError } from '../../errors/send-error.ts';
import { boundBodies } from './bound-bodies.ts';
import { createByteBudget } from './byte-budget.ts';
import { readBody } from './read-body.ts';

const kilobyte = 1024;
const maxBytes = 200 * kilobyte;

/** Two clients may use their whole share at once; the total is too small for a third one's. */
const listener = testListener((app) => {
  app.setErrorHandler(sendError);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) =>
    readBody(request, payload, maxBytes, done),
  );
  app.post('/vouched', ({ body }) => ({ bytes: (body as Buffer).length }));
  app.register(async (scope) => {
    const budget = createByteBudget({
      maxBytes: 1_000 * kilobyte,
      maxBytesPerOwner: 400 * kilobyte,
    });
    const isExpected = async ({ params }: { params: unknown }) =>
      (params as { id: string }).id === 'known';
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', boundBodies(scope, { budget, maxBytes, isExpected }));
    scope.post('/posts/:id', ({ body }) => ({ bytes: (body as Buffer).length }));
  });
});

function head(path: string, ...headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
}

/** Begins posts of 190 KB: announces them and sends `kilobytes` of each. */
async function begin(count: number, kilobytes: number, from: string, id = 'known') {
  const sockets: Socket[] = [];
  for (let each = 0; each < count; each++) {
    const socket = await listener.secure(from);
    socket.on('error', () => {});
    socket.write(head(`/posts/${id}`, `Content-Length: ${190 * kilobyte}`));
    socket.write('x'.repeat(kilobytes * kilobyte));
    sockets.push(socket);
  }
  return sockets;
}

/** A whole post, by its status and its body. */
async function post(from: string, kilobytes: number, path = '/posts/known'): Promise<string> {
  const socket = await listener.secure(from);
  const length = kilobytes * kilobyte;
  socket.write(head(path, `Content-Length: ${length}`, 'Connection: close'));
  socket.write('x'.repeat(length));
  const [first, body] = (await readAll(socket)).split(/\r\n(?:[^{]*\r\n)?/);
  return `${first?.slice(9, 12)} ${body}`;
}

test('connections that announce long bodies and send nothing use none of the budget', async () => {
  await listener.open();
  const silent = [...(await begin(150, 0, '127.0.0.2')), ...(await begin(10, 0, '127.0.0.1'))];
  expect(await post('127.0.0.1', 190)).toBe(`200 {"bytes":${190 * kilobyte}}`);
  for (const socket of silent) socket.destroy();
});

test('a client over its share is refused further long bodies; short bodies and other clients are not', async () => {
  await listener.open();
  const held = await begin(4, 150, '127.0.0.2');
  const [refusal] = await Promise.race(held.map((socket) => once(socket, 'data')));
  expect(String(refusal)).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 5[\s\S]*from this address/);
  expect(await post('127.0.0.2', 150)).toMatch(/^429 /);
  expect(await post('127.0.0.2', 10)).toMatch(/^200 /);
  expect(await post('127.0.0.3', 150)).toMatch(/^200 /);
  for (const socket of held) socket.destroy();
  await expect.poll(() => post('127.0.0.2', 150)).toMatch(/^200 /);
});

test('once the total is used up, long bodies of all clients are refused, and short bodies are not', async () => {
  await listener.open();
  const held: Socket[] = [];
  for (const last of [2, 3, 4, 5]) held.push(...(await begin(2, 150, `127.0.0.${last}`)));
  const [refusal] = await Promise.race(held.map((socket) => once(socket, 'data')));
  expect(String(refusal)).toMatch(
    /^HTTP\/1\.1 500 [\s\S]*retry-after: 5[\s\S]*Too many long bodies/,
  );
  expect(await post('127.0.0.1', 190)).toMatch(/^500 /);
  expect(await post('127.0.0.1', 10)).toMatch(/^200 /);
  for (const socket of held) socket.destroy();
  await expect.poll(() => post('127.0.0.1', 190)).toMatch(/^200 /);
});

test('long bodies to an unknown address are not held in memory', async () => {
  await listener.open();
  const sockets = await begin(20, 150, '127.0.0.2', 'unknown');
  expect(await post('127.0.0.2', 190)).toMatch(/^200 /);
  expect(await post('127.0.0.2', 190, '/posts/unknown')).toBe('200 {"bytes":0}');
  expect(await post('127.0.0.2', 10, '/posts/unknown')).toBe(`200 {"bytes":${10 * kilobyte}}`);
  for (const socket of sockets) socket.destroy();
});

test('a body of unknown length is refused once it is too long', async () => {
  await listener.open();
  const socket = await listener.secure();
  socket.write(head('/posts/known', 'Transfer-Encoding: chunked'));
  for (let sent = 0; sent <= maxBytes; sent += 0x1000) {
    socket.write(`1000\r\n${'x'.repeat(0x1000)}\r\n`);
  }
  const [refusal] = await once(socket, 'data');
  expect(String(refusal)).toMatch(/^HTTP\/1\.1 400 [\s\S]*The body is too long/);
  socket.destroy();
});

test('an unknown address responds to an endless body immediately, and cuts it soon after', async () => {
  await listener.open();
  const socket = await listener.secure();
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  socket.write(head('/posts/unknown', 'Transfer-Encoding: chunked') + chunk.repeat(3));
  const [response] = await once(socket, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 [\s\S]*{"bytes":0}$/);
  let sent = 0;
  while (!socket.destroyed && sent < 64 * 1024 * kilobyte) {
    sent += 0x4000;
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), closed]);
  }
  expect(socket.destroyed).toBe(true);
});

test('a body in thousands of tiny pieces is refused; one in many short pieces is accepted', async () => {
  await listener.open();
  for (const path of ['/posts/known', '/vouched']) {
    const tiny = await listener.secure();
    tiny.write(head(path, 'Transfer-Encoding: chunked'));
    for (let each = 0; each < 50; each++) tiny.write('1\r\nx\r\n'.repeat(100));
    const [refusal] = await once(tiny, 'data');
    expect(String(refusal)).toMatch(/^HTTP\/1\.1 400 [\s\S]*too small/);
    tiny.destroy();

    const socket = await listener.secure();
    socket.write(head(path, 'Transfer-Encoding: chunked', 'Connection: close'));
    for (let each = 0; each < 25; each++) socket.write(`40\r\n${'y'.repeat(0x40)}\r\n`.repeat(100));
    socket.write('0\r\n\r\n');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*{"bytes":160000}$/);
  }
});

test('a body below the minimum rate is cut, unless its caller is authenticated', async () => {
  await listener.open({ minimumRateAfterMs: 300 });
  const drip = async (path: string, isEnough: () => boolean) => {
    const socket = await listener.secure();
    const response = readAll(socket);
    socket.write(head(path, 'Transfer-Encoding: chunked', 'Connection: close'));
    while (socket.writable && !isEnough()) {
      await sleep(15);
      socket.write('1\r\nx\r\n');
    }
    socket.write('0\r\n\r\n');
    return response;
  };
  let isCut = false;
  const vouched = drip('/vouched', () => isCut);
  const silent = await begin(1, 0, '127.0.0.2');
  expect(await drip('/posts/known', () => false)).toMatch(/^HTTP\/1\.1 400 [\s\S]*took too long/);
  expect(await readAll(silent[0]!)).toMatch(/^(HTTP\/1\.1 400 [\s\S]*took too long|$)/);
  isCut = true;
  expect(await vouched).toMatch(/^HTTP\/1\.1 200 /);
});
