import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, expect, test } from 'vitest';
import {
  endStream,
  frame,
  headerBlock,
  request,
  speakHttp2,
  target,
} from '../../../../test/servers/http2-frames.ts';
import { testListener } from '../../../../test/servers/listener.ts';

/** How many requests the app has seen. */
let served: number;
/** How the app's reading of /read ended: with a number of bytes, or with an error's code. */
let read: Promise<number | string>;
/** Bytes of a response that is too long for one window. */
const largeBytes = 4 * 2 ** 20;
const listener = testListener((app) => {
  served = 0;
  app.addHook('onRequest', async () => {
    served++;
  });
  app.get('/hello', ({ url, headers, protocol, ip }, reply) =>
    reply.headers({ connection: 'close', 'keep-alive': 'timeout=5' }).send({
      url,
      protocol,
      ip,
      headers,
    }),
  );
  app.get('/large', (_request, reply) =>
    reply.send(Readable.from(Array(64).fill(Buffer.alloc(largeBytes / 64)))),
  );
  app.post('/echo', (request) => request.body);
  app.register(async (scope) => {
    const outcome = Promise.withResolvers<number | string>();
    read = outcome.promise;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.post('/read', async ({ body }) => {
      let bytes = 0;
      await pipeline(body as Readable, async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) bytes += piece.length;
      }).then(
        () => outcome.resolve(bytes),
        (error) => outcome.resolve(error.code),
      );
      return { bytes };
    });
  });
});

let client: ClientHttp2Session | undefined;

afterEach(() => {
  client?.destroy();
  client = undefined;
});

async function open(): Promise<ClientHttp2Session> {
  const { port } = await listener.open();
  client = connect(`https://127.0.0.1:${port}`, { ca: listener.ca, servername: 'localhost' });
  client.on('error', () => {});
  await once(client, 'connect');
  return client;
}

async function call(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string) {
  const stream = session.request(headers);
  stream.end(body);
  const [response] = await once(stream, 'response');
  const text = (await stream.toArray()).join('');
  return { status: response[':status'], headers: response, text };
}

test('a client that offers HTTP/2 gets it, and one that does not gets HTTP/1.1', async () => {
  await listener.open();
  for (const [offered, chosen] of [
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1', 'h2'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [['http/1.0'], 'http/1.0'],
  ] as const) {
    const socket = await listener.secure('127.0.0.1', [...offered]);
    expect(socket.alpnProtocol).toBe(chosen);
    socket.destroy();
  }
});

test('the app sees a request over HTTP/2 as it sees one over HTTP/1.1', async () => {
  const session = await open();
  const headers = {
    ':path': '/hello?a=b',
    ':authority': 'shop.example:8443',
    cookie: ['a=1', 'b=2'],
  };
  const response = await call(session, headers);
  expect(response.status).toBe(200);
  expect(JSON.parse(response.text)).toEqual({
    url: '/hello?a=b',
    protocol: 'https',
    ip: '127.0.0.1',
    headers: { host: 'shop.example:8443', cookie: 'a=1; b=2' },
  });
  expect(Object.keys(response.headers)).not.toContain('connection');
  expect(Object.keys(response.headers)).not.toContain('keep-alive');
  const unknown = await call(session, { ':path': '/nowhere' });
  expect(unknown.status).toBe(404);
});

test('a HEAD has the headers of the GET and no body, also if there is no such path', async () => {
  const session = await open();
  const get = await call(session, { ':path': '/hello' });
  for (const [path, status] of [
    ['/hello', 200],
    ['/nowhere', 404],
  ] as const) {
    const head = await call(session, { ':method': 'HEAD', ':path': path });
    expect([head.status, head.text]).toEqual([status, '']);
    if (status === 200) expect(head.headers['content-type']).toBe(get.headers['content-type']);
  }
});

test('bodies of known and unknown length arrive, and many requests share a connection', async () => {
  const session = await open();
  const body = JSON.stringify({ text: 'x'.repeat(500_000) });
  const headers = { ':method': 'POST', ':path': '/echo', 'content-type': 'application/json' };
  const responses = await Promise.all([
    call(session, headers, body),
    call(session, { ...headers, 'content-length': body.length }, body),
    call(session, { ...headers, expect: '100-continue' }, body),
    call(session, { ...headers, expect: 'a miracle' }, body),
    call(session, { ':path': '/large' }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(responses.map(({ text }) => text.length)).toEqual([
    ...Array(4).fill(body.length),
    largeBytes,
  ]);
});

test('a body without a content type and of unknown length is not taken for an empty one', async () => {
  const session = await open();
  const { text } = await call(session, { ':method': 'POST', ':path': '/read' }, 'x'.repeat(1_000));
  expect(JSON.parse(text)).toEqual({ bytes: 1_000 });
});

test.each([
  ['resets the request', (stream: number) => [frame('reset', { stream, payload: code(8) })]],
  // RFC 9113 does not forbid it, and Node ends such a body as if it were complete.
  [
    'resets the request without an error',
    (stream: number) => [frame('reset', { stream, payload: code(0) })],
  ],
  ['ends the connection', () => undefined],
])('a body is not taken for complete if the client %s', async (_what, end) => {
  await listener.open();
  const raw = speakHttp2(await listener.secure('127.0.0.1', ['h2']));
  const payload = Buffer.alloc(1_000, 'x');
  await raw.send(request(1, target('POST', '/read'), 0), frame('data', { stream: 1, payload }));
  await expect.poll(() => served).toBe(1);
  const frames = end(1);
  if (frames) await raw.send(...frames);
  else raw.socket.destroy();
  expect(await read).toBe('ECONNRESET');
  raw.socket.destroy();
});

const get = target('GET', '/hello');
test.each([
  ['no :path', get.slice(0, 3)],
  ['no :method', get.slice(1)],
  ['no :scheme', [get[0], ...get.slice(2)]],
  ['no host', [...get.slice(0, 2), get[3]]],
  ['an empty :authority', target('GET', '/hello', '')],
  ['an :authority with a user', target('GET', '/hello', 'user@localhost')],
  ['another Host header', [...get, ['host', 'other.example']]],
  ['two Host headers', [...get, ['host', 'localhost'], ['host', 'localhost']]],
  ['the same pseudo-header twice', [...get, [':path', '/hello']]],
  ['a pseudo-header after a header', [...get.slice(0, 3), ['x', 'y'], get[3]]],
  ['an unknown pseudo-header', [...get, [':admin', 'true']]],
  ['a pseudo-header of responses', [...get, [':status', '200']]],
  ['a path that is none', target('GET', 'hello')],
  ['an empty path', target('GET', '')],
  ['a path with a line break', target('GET', '/hello\r\nx: y')],
  ['an upper-case header', [...get, ['X-Upper', 'y']]],
  ['a Connection header', [...get, ['connection', 'keep-alive']]],
  ['a Transfer-Encoding header', [...get, ['transfer-encoding', 'chunked']]],
  ['an Upgrade header', [...get, ['upgrade', 'websocket']]],
  ['two lengths', [...target('POST', '/echo'), ['content-length', '2'], ['content-length', '3']]],
  ['a length without a body', [...target('POST', '/echo'), ['content-length', '2']]],
  [
    'the method CONNECT',
    [
      [':method', 'CONNECT'],
      [':authority', 'evil.example:443'],
    ],
  ],
  [
    'the protocol of an extended CONNECT',
    [...target('CONNECT', '/hello'), [':protocol', 'websocket']],
  ],
  ['an unknown method', target('FOO', '/hello')],
  ['201 headers', [...get, ...Array(200).fill(['x', 'y'])]],
  ['20 KB of headers', [...get, ['x', 'y'.repeat(20_000)]]],
] as [string, [string, string][]][])(
  'a request with %s is refused before the app sees it',
  async (_what, headers) => {
    await listener.open();
    const raw = speakHttp2(await listener.secure('127.0.0.1', ['h2']));
    await raw.send(...inFrames(headers));
    await Promise.race([
      raw.next({ type: 'data', stream: 1 }),
      raw.next({ type: 'reset', stream: 1 }),
      raw.next({ type: 'goaway' }),
    ]);
    const text = raw.frames.filter(({ type }) => type === 0).map(({ payload }) => payload);
    if (text.length > 0) expect(String(text)).toMatch(/"success":false/);
    expect(served).toBe(0);
    raw.socket.destroy();
  },
);

test.each(['y\r\nz: 1', 'y\0'])(
  'a header with the value %j never reaches the app',
  async (value) => {
    await listener.open();
    const raw = speakHttp2(await listener.secure('127.0.0.1', ['h2']));
    await raw.send(request(1, [...get, ['x', value]]));
    const response = await raw.next({ type: 'data', stream: 1 });
    expect(JSON.parse(String(response?.payload)).headers).toEqual({ host: 'localhost' });
    raw.socket.destroy();
  },
);

test('a client that speaks HTTP/1.1 after it has chosen HTTP/2 is disconnected', async () => {
  await listener.open();
  const socket = await listener.secure('127.0.0.1', ['h2']);
  socket.on('error', () => {}).resume();
  socket.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'close');
  expect(served).toBe(0);
});

test('a client that ends its side of the connection is disconnected', async () => {
  await listener.open();
  const socket = await listener.secure('127.0.0.1', ['h2']);
  const raw = speakHttp2(socket);
  await raw.next({ type: 'settings' });
  socket.end();
  await raw.ended;
});

test('close lets requests over HTTP/2 finish and refuses new ones', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  listener.app.get('/slow', () => promise);
  const { port, close } = await listener.open({ graceMs: 600_000 });
  const [idle, used] = await Promise.all(
    [1, 2].map(async () => speakHttp2(await listener.secure('127.0.0.1', ['h2']))),
  );
  await idle!.next({ type: 'settings' });
  await used!.send(request(1, target('GET', '/slow')));
  await expect.poll(() => served).toBe(1);
  const closed = close();
  await idle!.ended;
  const goaway = await used!.next({ type: 'goaway' });
  expect(goaway?.payload.readUInt32BE(4)).toBe(constants.NGHTTP2_NO_ERROR);
  await used!.send(request(3, target('GET', '/hello')));
  resolve({ done: true });
  expect(String((await used!.next({ type: 'data', stream: 1 }))?.payload)).toBe('{"done":true}');
  await closed;
  expect(served).toBe(1);
  expect(port).toBeGreaterThan(0);
});

function code(value: number): Buffer {
  return Buffer.from([0, 0, 0, value]);
}

/** A HEADERS frame, and CONTINUATION frames if it would be too long. */
function inFrames(headers: [string, string][]): Buffer[] {
  const block = headerBlock(headers);
  const max = 16_384;
  if (block.length <= max) return [request(1, headers)];
  return [
    frame('headers', { flags: endStream, stream: 1, payload: block.subarray(0, max) }),
    frame('continuation', { flags: 4, stream: 1, payload: block.subarray(max) }),
  ];
}
