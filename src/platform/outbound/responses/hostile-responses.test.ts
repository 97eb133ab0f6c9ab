import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createOutbound } from '../outbound.ts';
import { OutboundFailure } from '../outbound-failure.ts';

/** What a server sends after the request. `again` is repeated forever; without it the server waits. */
type Script = { first?: string; again?: string; end?: boolean };

const outbound = createOutbound({ allowPrivate: ['127.0.0.0/8'] });
const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => outbound.close());

/** Serves raw bytes, and counts them and its open connections. */
async function serve(send: (socket: Socket, count: (bytes: number) => void) => unknown) {
  const seen = { url: '', bytes: 0, open: 0 };
  const server = createServer((socket) => {
    seen.open++;
    closers.push(() => socket.destroy());
    socket.on('error', () => {}).on('close', () => seen.open--);
    socket.once('data', () => send(socket, (bytes) => (seen.bytes += bytes)));
  });
  closers.push(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return seen;
}

function run({ first = '', again, end }: Script) {
  return (socket: Socket, count: (bytes: number) => void) => {
    socket.write(first, 'latin1');
    count(first.length);
    if (end) socket.end();
    if (!again) return;
    const block = Buffer.from(again.repeat(Math.ceil(60_000 / again.length)), 'latin1');
    const more = () => {
      do count(block.length);
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('drain', more);
    more();
  };
}

const megabyte = 1024 * 1024;
const timeoutMs = 60_000;

/** The three ways to read a response. Each returns the length of the body. */
const ways = {
  request: async (url: string) =>
    (await outbound.request(url, { timeoutMs, maxBodyBytes: 16_384 })).body.length,
  measure: async (url: string) =>
    (await outbound.measure(url, { timeoutMs, enough: () => 5 * megabyte })).bytes,
  open: async (url: string) => {
    const limits = { timeoutMs, bodyTimeoutMs: timeoutMs, maxBodyBytes: 5 * megabyte };
    const { body } = await outbound.open(url, limits);
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return bytes;
  },
};

const blanks = ' '.repeat(64 * 1024);
const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const manyHeaders = 'The headers of the response are too long.';
const muchFraming =
  'The response has too many bytes besides its body: chunk sizes, extensions or trailers.';
const notHttp = /^The response was not valid HTTP \(.+\)\.$/;

const failing: [string, Script, 'protocol' | 'connection', string | RegExp][] = [
  [
    '64 KiB of blanks and a bare LF',
    { first: `${ok}x-a:${blanks}\n\r\n` },
    'protocol',
    manyHeaders,
  ],
  ['64 KiB of blanks in a value', { first: `${ok}x-a: a${blanks}b\r\n` }, 'protocol', manyHeaders],
  ['blanks without an end', { first: `${ok}x-a:`, again: ' ' }, 'protocol', manyHeaders],
  ['headers without an end', { first: ok, again: 'a: b\r\n' }, 'protocol', manyHeaders],
  ['empty headers without an end', { first: ok, again: 'a:\r\n' }, 'protocol', manyHeaders],
  ['a header name without an end', { first: ok, again: 'x' }, 'protocol', manyHeaders],
  ['a reason without an end', { first: 'HTTP/1.1 200 ', again: 'x' }, 'protocol', manyHeaders],
  ['line breaks and nothing else', { again: '\r\n' }, 'protocol', manyHeaders],
  [
    'informational responses without an end',
    { again: 'HTTP/1.1 103 \r\n\r\n' },
    'protocol',
    'The host sent more than 8 informational (1xx) responses.',
  ],
  [
    '100 Continue without an end',
    { again: 'HTTP/1.1 100 \r\n\r\n' },
    'protocol',
    'The host sent an unexpected status 100 or 101.',
  ],
  ['chunks of one byte', { first: chunked, again: '1\r\nx\r\n' }, 'protocol', muchFraming],
  [
    'a chunk extension without an end',
    { first: `${chunked}1;`, again: 'x' },
    'protocol',
    muchFraming,
  ],
  ['a chunk size without an end', { first: chunked, again: '0' }, 'protocol', muchFraming],
  [
    'trailers without an end',
    { first: `${chunked}0\r\n`, again: 'a: b\r\n' },
    'protocol',
    muchFraming,
  ],
  ['empty trailers', { first: `${chunked}0\r\n`, again: 'a:\r\n' }, 'protocol', muchFraming],
  ['a trailer of blanks', { first: `${chunked}0\r\na:`, again: ' ' }, 'protocol', muchFraming],
  [
    'a length and chunks',
    { first: `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n` },
    'protocol',
    notHttp,
  ],
  [
    'two lengths',
    { first: `${ok}content-length: 3\r\ncontent-length: 4\r\n\r\nabc` },
    'protocol',
    notHttp,
  ],
  ['a negative length', { first: `${ok}content-length: -1\r\n\r\na` }, 'protocol', notHttp],
  [
    'another transfer encoding',
    { first: `${ok}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n` },
    'protocol',
    'The response has an unknown transfer encoding.',
  ],
  ['a chunk size that is none', { first: `${chunked}zz\r\n` }, 'protocol', notHttp],
  ['a negative chunk size', { first: `${chunked}-1\r\n` }, 'protocol', notHttp],
  ['a huge chunk size', { first: `${chunked}${'f'.repeat(17)}\r\n` }, 'protocol', notHttp],
  ['a chunk longer than it says', { first: `${chunked}3\r\nabcd\r\n` }, 'protocol', notHttp],
  ['a line without a colon', { first: `${ok}no header\r\n\r\n` }, 'protocol', notHttp],
  ['another protocol', { first: 'SSH-2.0-OpenSSH\r\n\r\n' }, 'protocol', notHttp],
  ['a control character in the reason', { first: 'HTTP/1.1 200 \b\r\n\r\n' }, 'protocol', notHttp],
  ['a bare CR in the reason', { first: 'HTTP/1.1 200 a\rb\r\n\r\n' }, 'protocol', notHttp],
  ['a bare LF in the reason', { first: 'HTTP/1.1 200 a\nb\r\n\r\n' }, 'protocol', notHttp],
  ['a control character in a value', { first: `${ok}a: \b\r\n\r\n` }, 'protocol', notHttp],
  ['a NUL in a value', { first: `${ok}a: \0\r\n\r\n` }, 'protocol', notHttp],
  ['a bare CR in a value', { first: `${ok}a: b\rc\r\n\r\n` }, 'protocol', notHttp],
  ['a folded value', { first: `${ok}a: b\r\n c\r\n\r\n` }, 'protocol', notHttp],
  ['an end inside the head', { first: `${ok}a: b`, end: true }, 'connection', /closed .* early/],
  [
    'an end inside a chunk',
    { first: `${chunked}5\r\nab`, end: true },
    'connection',
    /closed .* early/,
  ],
  [
    'an end before the last chunk',
    { first: `${chunked}1\r\na\r\n`, end: true },
    'connection',
    /closed .* early/,
  ],
  [
    'an end before the length is reached',
    { first: `${ok}content-length: 9\r\n\r\nab`, end: true },
    'connection',
    /closed .* early/,
  ],
];

describe.each(Object.entries(ways))('%s fails, and the connection is closed, at', (_, read) => {
  test.each(failing)('%s', async (_, script, kind, message) => {
    const seen = await serve(run(script));
    await expect(read(seen.url)).rejects.toMatchObject({
      kind,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    await expect.poll(() => seen.open).toBe(0);
    // Nearly all of it is what the system buffers between two sockets.
    expect(seen.bytes).toBeLessThan(16 * megabyte);
  });
});

describe('a body without an end', () => {
  const endless = run({ first: chunked, again: `10000\r\n${'x'.repeat(65_536)}\r\n` });
  test('is read as far as was asked, and the connection is closed', async () => {
    const seen = await serve(endless);
    expect(await ways.request(seen.url)).toBe(16_384);
    expect(await ways.measure(seen.url)).toBeGreaterThanOrEqual(5 * megabyte);
    await expect(ways.open(seen.url)).rejects.toThrow('The file is too long.');
    await expect.poll(() => seen.open).toBe(0);
    expect(seen.bytes).toBeLessThan(64 * megabyte);
  });

  test('does not delay other responses', async () => {
    const [long, short] = [
      await serve(endless),
      await serve(run({ first: `${ok}content-length: 2\r\n\r\nhi` })),
    ];
    let isCut = false;
    const measured = outbound.measure(long.url, {
      timeoutMs,
      enough: () => Number.POSITIVE_INFINITY,
    });
    measured.catch(() => {
      isCut = true;
    });
    for (let n = 0; n < 20; n++) expect(await ways.measure(short.url)).toBe(2);
    expect(isCut).toBe(false);
    for (const close of closers.splice(0)) close();
    await expect(measured).rejects.toMatchObject({ kind: 'connection' });
  });

  test('is not collected in memory if it is not read', async () => {
    const seen = await serve(endless);
    const limits = { timeoutMs, maxBodyBytes: 1_000 * megabyte };
    const { body } = await outbound.open(seen.url, limits);
    await sleep(300); // for the buffers between the two to fill
    expect(body.readableLength).toBeLessThan(megabyte);
    expect(seen.bytes).toBeLessThan(16 * megabyte);
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > 32 * megabyte) break;
    }
    await expect.poll(() => seen.open).toBe(0);
  });
});

test.each([
  ['head', 'HTTP/1.1 200 OK\r\nx: ', 'No response within 400 ms.'],
  ['body', chunked, 'The response began but did not end within 400 ms.'],
])('a %s that arrives slowly is cut at its time limit', async (_, first, message) => {
  const seen = await serve((socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(first === chunked ? '1\r\nx\r\n' : 'x'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  const brief = { timeoutMs: 400 };
  const failure = { kind: 'timeout', message };
  await expect(outbound.request(seen.url, { ...brief, maxBodyBytes: 1_000 })).rejects.toMatchObject(
    failure,
  );
  await expect(outbound.measure(seen.url, { ...brief, enough: () => 1_000 })).rejects.toMatchObject(
    failure,
  );
  const opened = outbound.open(seen.url, {
    timeoutMs: 400,
    bodyTimeoutMs: 400,
    maxBodyBytes: 1_000,
  });
  const read = opened.then(({ body }) => body.toArray());
  await expect(read).rejects.toMatchObject(failure);
  await expect.poll(() => seen.open).toBe(0);
});

test('heads that arrive byte by byte on many connections do not mix', async () => {
  const letters = [...'abcdefgh'];
  const seen = await serve(async (socket) => {
    const value = letters.pop()!.repeat(30);
    const text = `${ok}content-type: ${value}\r\nx-b: ${value}\r\ncontent-length: 3\r\n\r\nabc`;
    socket.setNoDelay();
    for (const each of text) {
      socket.write(each);
      await nextTick();
    }
  });
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => outbound.measure(seen.url, { timeoutMs, enough: () => 9 })),
  );
  for (const { headers, bytes } of responses) {
    expect(bytes).toBe(3);
    expect(headers['x-b']).toMatch(/^([a-h])\1{29}$/);
    expect(headers['content-type']).toBe(headers['x-b']);
  }
  expect(new Set(responses.map(({ headers }) => headers['x-b'])).size).toBe(8);
});

test('a head of almost 16 KiB is read, with informational responses before it', async () => {
  const first = `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${ok}a: ${'x'.repeat(16_000)}\r\n\r\nabc`;
  const seen = await serve(run({ first, end: true }));
  for (const read of Object.values(ways)) expect(await read(seen.url)).toBe(3);
});

test('repeated headers are joined, and names are in lower case', async () => {
  const first =
    'HTTP/1.1 301 Moved\r\nLocation:  /a b \r\nVia: x\r\nVIA: y\r\n__proto__: z\r\n\r\n';
  const seen = await serve(run({ first, end: true }));
  const response = await outbound.measure(seen.url, { timeoutMs, enough: () => 0 });
  expect(response).toEqual({
    status: 301,
    headers: { location: '/a b', via: 'x, y' },
    bytes: 0,
  });
});

test('the bytes of a chunked body are counted correctly wherever it is split', async () => {
  const sizes = fc.array(fc.integer({ min: 80, max: 9_000 }), { maxLength: 8 });
  const cuts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(sizes, cuts, async (sizes, cuts) => {
      const body = sizes.map((size) => `${size.toString(16)}\r\n${'\r'.repeat(size)}\r\n`).join('');
      const text = `${chunked}${body}0\r\n\r\n`;
      const seen = await serve(async (socket) => {
        socket.setNoDelay();
        for (let at = 0, n = 0; at < text.length; n++) {
          const length = cuts[n % cuts.length]!;
          socket.write(text.slice(at, at + length));
          at += length;
          await nextTick();
        }
      });
      const expected = sizes.reduce((sum, size) => sum + size, 0);
      expect(await ways.measure(seen.url)).toBe(expected);
      expect(await ways.open(seen.url)).toBe(expected);
    }),
    { numRuns: 25 },
  );
});

test('any bytes of a server end in a response or a failure', async () => {
  const pieces = fc.constantFrom(
    ...[
      'HTTP/1.1 ',
      '200',
      '204',
      '103',
      '100',
      '101',
      '999',
      ' ',
      ' OK',
      '\r\n',
      '\r',
      '\n',
      '\0',
    ],
    ...[': ', 'content-length', 'transfer-encoding', 'chunked', 'connection', 'close', 'upgrade'],
    ...['keep-alive', 'trailer', '0', '3', 'fffffff', ';', '\r\n\r\n', 'abc', ok, chunked, blanks],
    ...['3\r\nabc\r\n', '0\r\n\r\n', `${ok}content-length: 3\r\n\r\nabc`],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 14 }), fc.boolean(), async (parts, reset) => {
      const seen = await serve(async (socket) => {
        for (const part of parts) {
          socket.write(part, 'latin1');
          if (part.length < 4) await nextTick();
        }
        if (reset) socket.resetAndDestroy();
        else socket.end();
      });
      for (const read of Object.values(ways)) {
        const result = await read(seen.url).catch((failure: unknown) => failure);
        if (typeof result === 'number') continue;
        expect(result).toBeInstanceOf(OutboundFailure);
        expect((result as OutboundFailure).message).toMatch(/^[^\p{Cc}]+\.$/u);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 100) },
  );
});
