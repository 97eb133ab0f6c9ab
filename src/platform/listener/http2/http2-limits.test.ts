import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  endStream,
  frame,
  headerBlock,
  numberFrame,
  type RawHttp2,
  request,
  settings,
  speakHttp2,
  target,
} from '../../../../test/servers/http2-frames.ts';
import { testListener } from '../../../../test/servers/listener.ts';
import { allowLongUpload, requireMinimumRate } from '../limits/limit-bodies.ts';

/** How often the app was called. */
let served: number;
/** Resolves once the response of /large is given up. */
let unreadCut: Promise<void>;
/** Ends the responses of /slow. */
let endSlow: () => void;
const largeBytes = 16 * 2 ** 20;
const listener = testListener((app) => {
  served = 0;
  app.addHook('onRequest', async ({ raw, url }) => {
    served++;
    if (url === '/upload') allowLongUpload(raw);
    if (url === '/hurried') requireMinimumRate(raw);
  });
  app.get('/hello', () => ({ hello: 'world' }));
  app.post('/refused', {
    onRequest: async (_request, reply) => reply.code(401).send({ success: false }),
    handler: () => ({}),
  });
  for (const path of ['/echo', '/upload', '/hurried']) app.post(path, ({ body }) => body);
  const slow = Promise.withResolvers<object>();
  endSlow = () => slow.resolve({ done: true });
  app.get('/slow', () => slow.promise);
  const cut = Promise.withResolvers<void>();
  unreadCut = cut.promise;
  app.get('/large', (_request, reply) => {
    reply.raw.once('close', () => !reply.raw.writableFinished && cut.resolve());
    return reply.send(Readable.from(Array(256).fill(Buffer.alloc(largeBytes / 256))));
  });
});

async function open(opening?: Buffer): Promise<RawHttp2> {
  return speakHttp2(await listener.secure('127.0.0.1', ['h2']), opening);
}

const post = (path: string, stream = 1) =>
  request(stream, [...target('POST', path), ['content-type', 'application/json']], 0);
const get = (path: string, stream = 1) => request(stream, target('GET', path));
const data = (text: string, { flags = 0, stream = 1 } = {}) =>
  frame('data', { flags, stream, payload: Buffer.from(text) });
const textOf = (raw: RawHttp2) =>
  raw.frames
    .filter(({ type }) => type === 0)
    .map(({ payload }) => String(payload))
    .join('');

/** Sends bytes again and again until the connection ends, and returns how many it took. */
async function flood(raw: RawHttp2, bytes: (round: number) => Buffer): Promise<number> {
  let isOpen = true;
  void raw.ended.then(() => {
    isOpen = false;
  });
  let sent = 0;
  for (let round = 0; isOpen && sent < endless; round++) {
    const chunk = bytes(round);
    sent += chunk.length;
    await raw.send(chunk);
    await new Promise(setImmediate);
  }
  return sent;
}
const endless = 512 * 2 ** 20;

test('connections without a request, or with half of one, are cut', async () => {
  await listener.open({ slowClientMs: 300 });
  const block = headerBlock(target('GET', '/hello'));
  const half = frame('headers', { flags: endStream, stream: 1, payload: block.subarray(0, 9) });
  const silent = await listener.secure('127.0.0.1', ['h2']);
  const nothing = speakHttp2(silent, Buffer.alloc(0));
  const [without, headers, pinging] = [await open(), await open(), await open()];
  await headers.send(half);
  const ping = setInterval(
    () => void pinging.send(frame('ping', { payload: Buffer.alloc(8) })),
    50,
  );
  await Promise.all([nothing, without, headers, pinging].map(({ ended }) => ended));
  clearInterval(ping);
  expect(served).toBe(0);
});

test('a connection is cut once it has been idle for long, whatever else it sends', async () => {
  await listener.open({ slowClientMs: 400 });
  const raw = await open();
  await raw.send(get('/hello'));
  await raw.next({ type: 'data', stream: 1 });
  // Half of a header block, continued slowly.
  const block = headerBlock([['x', 'y'.repeat(5_000)]]);
  await raw.send(frame('headers', { flags: endStream, stream: 3, payload: block.subarray(0, 9) }));
  const more = setInterval(() => {
    void raw.send(frame('continuation', { stream: 3, payload: Buffer.from('y') }));
  }, 500);
  await raw.ended;
  clearInterval(more);
  expect(served).toBe(1);
});

test('a slow body is cut, unless it is an upload that may take long', async () => {
  await listener.open({ slowBodyMs: 300 });
  const raw = await open();
  await raw.send(post('/echo', 1), post('/upload', 3), data('"'), data('"', { stream: 3 }));
  let isCut = false;
  const cut = raw.next({ type: 'data', stream: 1 }).then((found) => {
    isCut = true;
    return found;
  });
  while (!isCut) {
    await raw.send(data('x'), data('x', { stream: 3 }));
    await sleep(15);
  }
  expect(String((await cut)?.payload)).toContain('took too long');
  await raw.send(data('"', { flags: endStream, stream: 3 }));
  expect(String((await raw.next({ type: 'data', stream: 3 }))?.payload)).toMatch(/^x+$/);
  raw.socket.destroy();
});

test('a body of an unauthenticated caller is cut below the minimum rate', async () => {
  await listener.open({ minimumRateAfterMs: 300 });
  const raw = await open();
  await raw.send(post('/hurried', 1), post('/echo', 3));
  const cut = raw.next({ type: 'data', stream: 1 });
  let isCut = false;
  void cut.then(() => {
    isCut = true;
  });
  await raw.send(data('"'), data('"', { stream: 3 }));
  while (!isCut) {
    await raw.send(data('x'), data('x', { stream: 3 }));
    await sleep(15);
  }
  expect(String((await cut)?.payload)).toContain('took too long');
  await raw.send(data('"', { flags: endStream, stream: 3 }));
  expect(String((await raw.next({ type: 'data', stream: 3 }))?.payload)).toMatch(/^x+$/);
  raw.socket.destroy();
});

test.each([
  ['an early 401', post('/refused')],
  ['a 404', post('/nowhere')],
  ['the response to a GET', request(1, target('GET', '/hello'), 0)],
])('an endless body is cut after %s', async (_what, start) => {
  await listener.open();
  const raw = await open();
  await raw.send(start);
  const sent = await flood(raw, () => data('x'.repeat(16_384)));
  expect(sent).toBeLessThan(endless);
  expect(textOf(raw)).not.toBe('');
});

test('after an early response the rest of a short body is read, and the connection stays open', async () => {
  await listener.open();
  const raw = await open();
  await raw.send(post('/refused'));
  await raw.next({ type: 'data', stream: 1 });
  for (let each = 0; each < 20; each++) await raw.send(data('x'.repeat(10_000)));
  await raw.send(data('x', { flags: endStream }), get('/hello', 3));
  expect(String((await raw.next({ type: 'data', stream: 3 }))?.payload)).toContain('world');
  expect(raw.frames.filter(({ type }) => type === 3)).toEqual([]);
  raw.socket.destroy();
});

test('a body that never ends after an early response does not keep its request open', async () => {
  await listener.open();
  const raw = await open();
  await raw.send(post('/refused'));
  expect(await raw.next({ type: 'reset', stream: 1 })).toMatchObject({ payload: Buffer.alloc(4) });
  raw.socket.destroy();
});

test('a client that keeps its window closed is cut, and one that opens it slowly gets its response', async () => {
  await listener.open({ slowBodyMs: 1_000 });
  const closed = await open(settings([4, 0]));
  await closed.send(get('/large'));
  const slow = await open();
  await slow.send(get('/large'));
  // In total, it takes longer than the other may leave its response unread.
  for (let seen = 0; seen < largeBytes; await sleep(10)) {
    const bytes = textBytes(slow);
    if (bytes === seen) continue;
    const updates = [0, 1].map((stream) => numberFrame('windowUpdate', stream, bytes - seen));
    await slow.send(...updates);
    seen = bytes;
  }
  slow.socket.destroy();
  await unreadCut;
  expect(await closed.next({ type: 'reset', stream: 1 })).toBeDefined();
  closed.socket.destroy();
});

const textBytes = (raw: RawHttp2) =>
  raw.frames.filter(({ type }) => type === 0).reduce((sum, { payload }) => sum + payload.length, 0);

test('one connection has at most 32 requests at once; further ones are refused and may come again', async () => {
  await listener.open();
  // The client never acknowledges the setting.
  const raw = await open();
  for (let id = 0; id < 100; id++) await raw.send(get('/slow', 2 * id + 1));
  await raw.next({ type: 'reset', stream: 199 });
  expect(served).toBe(32);
  const refused = raw.frames.filter(({ type }) => type === 3);
  expect(refused).toHaveLength(68);
  // REFUSED_STREAM: the client knows that nothing was done.
  expect(new Set(refused.map(({ payload }) => payload.readUInt32BE()))).toEqual(new Set([7]));
  endSlow();
  await raw.next({ type: 'data', stream: 63 });
  raw.socket.destroy();
});

test('a client that opens and resets requests rapidly is disconnected soon', async () => {
  await listener.open();
  for (const together of [true, false]) {
    const raw = await open();
    served = 0;
    await flood(raw, (round) => {
      const stream = 2 * (together ? round : round >> 1) + 1;
      const pair = [get('/slow', stream), numberFrame('reset', stream, 8)];
      // Apart, each request reaches the app before it is reset.
      return together ? Buffer.concat(pair) : pair[round % 2]!;
    });
    expect(served).toBeLessThan(250);
  }
  endSlow();
});

const emptyHeaders = frame('headers', { stream: 1, payload: headerBlock([['x', 'y']]) });
const block = headerBlock([['x', 'y'.repeat(100)]]);
/** An entry of 4 KB in the dynamic table, then references to it (RFC 7541, section 6.1). */
const bomb = Buffer.concat([
  headerBlock(target('GET', '/hello')),
  Buffer.from([0x40, 1, 0x78, 0x7f, 0x81, 0x1e]),
  Buffer.alloc(4_000, 'y'),
  Buffer.alloc(12_000, 0xbe),
]);

test.each([
  [
    'CONTINUATION',
    (round: number) =>
      round === 0 ? emptyHeaders : repeat(frame('continuation', { stream: 1, payload: block })),
  ],
  [
    'empty CONTINUATION',
    (round: number) => (round === 0 ? emptyHeaders : repeat(frame('continuation', { stream: 1 }))),
  ],
  [
    'compressed headers',
    (round: number) => frame('headers', { flags: 5, stream: 2 * round + 1, payload: bomb }),
  ],
  [
    'headers that are too long',
    (round: number) =>
      request(2 * round + 1, [...target('GET', '/hello'), ['x', 'y'.repeat(16_000)]]),
  ],
  ['SETTINGS', () => repeat(settings([4, 65_535]))],
  ['empty SETTINGS', () => repeat(settings())],
  ['PING', () => repeat(frame('ping', { payload: Buffer.alloc(8) }))],
  [
    'PRIORITY',
    () => repeat(frame('priority', { stream: 1, payload: Buffer.from([0, 0, 0, 3, 1]) })),
  ],
  ['WINDOW_UPDATE', () => repeat(numberFrame('windowUpdate', 0, 1))],
  ['unknown', () => repeat(Buffer.from([0, 0, 1, 99, 0, 0, 0, 0, 0, 1]))],
  [
    'empty DATA',
    (round: number) => (round === 0 ? post('/echo') : repeat(frame('data', { stream: 1 }))),
  ],
  [
    'DATA of closed requests',
    (round: number) =>
      round === 0
        ? Buffer.concat([post('/echo'), numberFrame('reset', 1, 8)])
        : repeat(data('x'.repeat(1_000))),
  ],
])('a flood of %s frames is cut', async (_what, bytes) => {
  await listener.open({ slowClientMs: 60_000 });
  const raw = await open();
  expect(await flood(raw, bytes)).toBeLessThan(endless);
  const other = await open();
  await other.send(get('/hello'));
  expect(String((await other.next({ type: 'data', stream: 1 }))?.payload)).toContain('world');
  other.socket.destroy();
});

function repeat(bytes: Buffer): Buffer {
  return Buffer.concat(Array(1 + Math.floor(16_384 / bytes.length)).fill(bytes));
}

test('a client that does not read what its frames demand is cut', async () => {
  await listener.open({ slowClientMs: 60_000 });
  const raw = await open();
  raw.socket.pause();
  expect(await flood(raw, () => repeat(frame('ping', { payload: Buffer.alloc(8) })))).toBeLessThan(
    endless,
  );
});
