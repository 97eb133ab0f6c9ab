import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readAll } from '../../../test/servers/listener.ts';
import { loadTls, type Tls } from '../tls/load-tls.ts';
import { allowLongUpload } from './limits/limit-bodies.ts';
import { type Listener, type ListenOptions, listen } from './listen.ts';

let dataDir: string;
let tls: Tls;
let ca: string;
let app: FastifyInstance;
let listener: Listener | undefined;
/** Ends the response of /slow. */
let endSlow: () => void;
/** Resolves once /slow has been called. */
let slowCalled: Promise<void>;
let slowCalls: number;
/** More than the system buffers of an unread response. */
const largeBytes = 32 * 2 ** 20;
/** Resolves once the response of /large is given up. */
let unreadCut: Promise<void>;
const refused: (string | undefined)[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-listen-'));
  tls = await loadTls({ dataDir, names: [] });
  ca = await readFile(tls.authorityPath!, 'utf8');
});

afterAll(() => rm(dataDir, { recursive: true }));

beforeEach(() => {
  refused.length = 0;
  app = Fastify();
  app.get('/hello', (request) => ({ secure: request.protocol }));
  const cut = Promise.withResolvers<void>();
  unreadCut = cut.promise;
  app.get('/large', (_request, reply) => {
    reply.raw.once('close', () => !reply.raw.writableFinished && cut.resolve());
    // In pieces, as all large responses: of one long write, Node sees no progress before its end.
    return reply.send(Readable.from(Array(512).fill(Buffer.alloc(largeBytes / 512))));
  });
  app.post('/echo', (request) => request.body);
  app.post(
    '/upload',
    { onRequest: async ({ raw }) => allowLongUpload(raw) },
    (request) => request.body,
  );
  const slow = Promise.withResolvers<{ done: boolean }>();
  endSlow = () => slow.resolve({ done: true });
  const called = Promise.withResolvers<void>();
  slowCalled = called.promise;
  slowCalls = 0;
  app.get('/slow', () => {
    slowCalls++;
    called.resolve();
    return slow.promise;
  });
});

afterEach(async () => {
  endSlow();
  await listener?.close();
  listener = undefined;
  await app.close();
});

const open = async (given: Partial<ListenOptions> = {}): Promise<Listener> => {
  listener = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    tls,
    trustedProxies: [],
    onRefusedPlain: (request) => refused.push(request.headers.authorization),
    ...given,
  });
  return listener;
};

test('a client that trusts the authority can call the app over HTTPS', async () => {
  const { url } = await open();
  const { status, body } = await call(`${url}/hello`);
  expect({ status, body }).toEqual({ status: 200, body: { secure: 'https' } });
  const large = { text: 'x'.repeat(500_000) };
  expect((await call(`${url}/echo`, { body: large })).body).toEqual(large);
  await expect(call(`${url}/hello`, { ca: undefined })).rejects.toThrow('certificate');
});

test('on every interface, clients of IPv4 and IPv6 are served, and a proxy is trusted by its IPv4 address', async () => {
  const { port } = await open({ host: '::', trustedProxies: ['127.0.0.1'] });
  for (const host of ['127.0.0.1', '[::1]']) {
    expect((await call(`https://${host}:${port}/hello`)).status).toBe(200);
  }
  const headers = { 'x-forwarded-proto': 'https' };
  expect((await call(`http://127.0.0.1:${port}/hello`, { headers })).status).toBe(200);
  expect((await call(`http://[::1]:${port}/hello`, { headers })).status).toBe(400);
});

test('a client that names HTTP/1.0 in the handshake, as shops on WordPress do, is served', async () => {
  const { port } = await open();
  const socket = connectTls({ port, ca, servername: 'localhost', ALPNProtocols: ['http/1.0'] });
  socket.write('GET /hello HTTP/1.0\r\n\r\n');
  let response = '';
  for await (const chunk of socket) response += chunk;
  expect(response).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(response).toMatch(/\{"secure":"https"\}$/);
});

test('HTTP/1.1 without a Host header is refused', async () => {
  const { port } = await open();
  const socket = connectTls({ port, ca, servername: 'localhost' });
  socket.write('GET /hello HTTP/1.1\r\n\r\n');
  let response = '';
  for await (const chunk of socket) response += chunk;
  expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*"success":false/);
});

test('an unknown Expect header is ignored', async () => {
  const { url, port } = await open();
  const headers = { expect: 'a miracle' };
  expect((await call(`${url}/hello`, { headers })).status).toBe(200);
  expect((await call(`http://127.0.0.1:${port}/hello`, { headers })).status).toBe(400);
});

test('TLS older than 1.2 is refused', async () => {
  const { port } = await open();
  const socket = connectTls({ port, ca, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
  const [error] = await once(socket, 'error').catch((thrown) => [thrown]);
  expect(String(error)).toMatch(/protocol|version|alert/i);
});

test('plain HTTP is refused, not redirected, and the request is reported', async () => {
  const { port } = await open();
  for (const [method, body] of [['GET'], ['POST', { a: 'x'.repeat(300_000) }]] as const) {
    const response = await call(`http://127.0.0.1:${port}/hello`, {
      method,
      body,
      headers: { authorization: 'Bearer parley_seen', 'x-forwarded-proto': 'https' },
    });
    expect(response.status).toBe(400);
    expect(response.headers.location).toBeUndefined();
    expect(response.headers.connection).toBe('close');
    expect(response.body).toEqual({
      success: false,
      message: expect.stringContaining('HTTPS only'),
      errors: {},
      code: 'bad_request',
    });
  }
  expect(refused).toEqual(['Bearer parley_seen', 'Bearer parley_seen']);
});

test('the refusal reaches a client that sends its whole body before it reads', async () => {
  const { port } = await open();
  const socket = connectTcp(port, '127.0.0.1').pause();
  socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n');
  for (const part of ['a', 'b']) {
    await sleep(50);
    socket.write(part.repeat(1_000));
  }
  await sleep(50);
  expect(await readAll(socket.resume())).toMatch(/^HTTP\/1.1 400 [\s\S]*HTTPS only/);
});

test('plain HTTP from a trusted proxy passes if the proxy says that its client used HTTPS', async () => {
  const { port } = await open({ trustedProxies: ['127.0.0.0/30'] });
  const status = async (proto?: string, localAddress = '127.0.0.1') => {
    const headers: Record<string, string> = proto ? { 'x-forwarded-proto': proto } : {};
    return (await call(`http://127.0.0.1:${port}/hello`, { headers, localAddress })).status;
  };
  expect(await status('https')).toBe(200);
  expect(await status('http, HTTPS')).toBe(200);
  expect(await status()).toBe(400);
  expect(await status('http')).toBe(400);
  // The client can set the first value; the last one is what the proxy saw.
  expect(await status('https, http')).toBe(400);
  expect(await status('https', '127.0.0.9')).toBe(400);
});

test('a proxy on a dual-stack socket is recognised by its IPv4 address', async () => {
  const { port } = await open({ host: '::', trustedProxies: ['127.0.0.1'] });
  const headers = { 'x-forwarded-proto': 'https' };
  expect((await call(`http://127.0.0.1:${port}/hello`, { headers })).status).toBe(200);
  expect((await call(`http://[::1]:${port}/hello`, { headers })).status).toBe(400);
});

test('bytes that are neither TLS nor HTTP get a plain response, and the service keeps running', async () => {
  const { port, url } = await open({ slowClientMs: 1_000 });
  for (const bytes of ['\0\0\0\0', 'hello\r\n\r\n', '\x16\x03\x01\xff\xffgarbage', '\x16']) {
    const socket = connectTcp(port, '127.0.0.1');
    socket.write(bytes, 'latin1');
    const text = await readAll(socket);
    if (bytes.startsWith('hello')) expect(text).toMatch(/^HTTP\/1.1 400 [\s\S]*"success":false/);
  }
  expect((await call(`${url}/hello`)).status).toBe(200);
});

test('too long headers are reported, however long they are', async () => {
  const { port } = await open();
  for (const socket of [await secureSocket(port), connectTcp(port, '127.0.0.1')]) {
    socket.write(`GET /hello HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(500_000)}\r\n\r\n`);
    expect(await readAll(socket)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*headers of the request are too long/,
    );
  }
});

test('unreadable bytes after a request do not replace its response', async () => {
  const { port } = await open();
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const slow = await secureSocket(port);
  slow.write(get('/slow'));
  await slowCalled;
  for (let times = 0; times < 3; times++) {
    slow.write('\0');
    await sleep(20);
  }
  endSlow();
  expect(await readAll(slow)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n{"done":true}$/);
  const pipelined = await secureSocket(port);
  pipelined.write(`${get('/hello')}${get('/hello')}\0`);
  expect((await readAll(pipelined)).match(/HTTP\/1\.1 \d+/g)).toEqual(
    Array(2).fill('HTTP/1.1 200'),
  );
});

test('requests may be pipelined, up to a limit', async () => {
  const { port, url } = await open();
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const few = await secureSocket(port);
  const last = 'GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  for (let times = 0; times < 5; times++) {
    few.write(get('/hello').repeat(20));
    await sleep(20);
  }
  few.write(last);
  expect((await readAll(few)).match(/HTTP\/1\.1 200/g)).toHaveLength(101);
  const many = await secureSocket(port);
  many.write(get('/slow').repeat(1_000));
  expect(await readAll(many)).toBe('');
  expect(slowCalls).toBeLessThan(40);
  expect((await call(`${url}/hello`)).status).toBe(200);
});

test('clients that stay silent, half-close, reset or stop within the headers are cut', async () => {
  const { port, url } = await open({ slowClientMs: 1_000 });
  const silent = connectTcp(port, '127.0.0.1');
  const halfClosed = connectTcp(port, '127.0.0.1').end();
  const reset = connectTcp(port, '127.0.0.1');
  await once(reset, 'connect');
  reset.resetAndDestroy();
  const slowPlain = connectTcp(port, '127.0.0.1');
  slowPlain.write('GET /hello HTTP/1.1\r\nHost: x\r\n');
  const slowSecure = await secureSocket(port);
  slowSecure.write('GET /hello HTTP/1.1\r\nHost: x\r\n');
  // Browsers keep a spare connection: a response without a request would be taken for that of the next one.
  const spare = await secureSocket(port);
  const ends = await Promise.all([silent, halfClosed, slowPlain, slowSecure, spare].map(readAll));
  expect(ends[0]).toBe('');
  expect(ends[2]).toContain('took too long');
  expect(ends[3]).toContain('took too long');
  expect(ends[4]).toBe('');
  expect((await call(`${url}/hello`)).status).toBe(200);
});

test('a request that arrived while the service was busy is answered, also on a spare connection', async () => {
  const { port, url } = await open({ slowClientMs: 1_000 });
  const socket = await secureSocket(port);
  // The handshake is complete on the other side too.
  await call(`${url}/hello`);
  socket.write('GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const busyUntil = performance.now() + 1_500;
  while (performance.now() < busyUntil);
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a slow body is cut, unless it is an upload that may take long', async () => {
  const { port, url } = await open({ slowBodyMs: 300 });
  const drip = async (path: string, isEnough: () => boolean) => {
    const socket = await secureSocket(port);
    const text = readAll(socket);
    const head = 'Host: x\r\nContent-Type: application/json\r\nConnection: close\r\n';
    socket.write(`POST ${path} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n1\r\n"\r\n`);
    while (socket.writable && !isEnough()) {
      await sleep(15);
      socket.write('1\r\nx\r\n');
    }
    socket.write('1\r\n"\r\n0\r\n\r\n');
    return text;
  };
  let isCut = false;
  const upload = drip('/upload', () => isCut);
  expect(await drip('/echo', () => false)).toMatch(/^HTTP\/1\.1 400 .*[\s\S]*took too long/);
  isCut = true;
  expect(await upload).toMatch(/^HTTP\/1\.1 200 .*[\s\S]*\r\n\r\nx+$/);
  expect((await call(`${url}/hello`)).status).toBe(200);
});

test('a client that does not read its response is cut, and one that reads it slowly is not', async () => {
  const { port } = await open({ slowBodyMs: 1_000 });
  const ask = async () => {
    const socket = await secureSocket(port);
    socket.pause();
    socket.on('error', () => {}); // cut
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return socket;
  };
  const [unread, slow] = [await ask(), await ask()];
  // In total, it pauses longer than the other may leave its response unread, but each pause is far shorter.
  const rests = 14;
  let bytes = 0;
  let rested = 0;
  for await (const chunk of slow) {
    bytes += chunk.length;
    if (bytes < ((rested + 1) * largeBytes) / rests) continue;
    rested++;
    await sleep(300);
  }
  expect(bytes).toBeGreaterThan(largeBytes);
  await unreadCut;
  unread.destroy();
});

test('a renewed certificate is served to the next connection', async () => {
  const { url, setTls } = await open();
  const elsewhere = await loadTls({ dataDir: join(dataDir, 'other'), names: [] });
  const newCa = await readFile(elsewhere.authorityPath!, 'utf8');
  await expect(call(`${url}/hello`, { ca: newCa })).rejects.toThrow('certificate');
  setTls(elsewhere);
  expect((await call(`${url}/hello`, { ca: newCa })).status).toBe(200);
  await expect(call(`${url}/hello`)).rejects.toThrow('certificate');
});

test('a connection ends after its next response while the listener drains, and new ones are accepted', async () => {
  const { url, port, drain } = await open({ slowClientMs: 50_000 });
  const used = await secureSocket(port);
  const ask = () => used.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n');
  ask();
  await once(used, 'data');
  const inFlight = call(`${url}/slow`, { agent: new https.Agent({ keepAlive: true, ca }) });
  await slowCalled;
  const client = http2.connect(`https://localhost:${port}`, { ca });
  await once(client, 'remoteSettings');
  const leave = once(client, 'goaway');
  drain();
  const [code] = await leave;
  expect(code).toBe(http2.constants.NGHTTP2_NO_ERROR);
  ask();
  expect(await readAll(used)).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is);
  endSlow();
  expect((await inFlight).headers.connection).toBe('close');
  expect((await call(`${url}/hello`)).headers.connection).toBe('close');

  const late = http2.connect(`https://localhost:${port}`, { ca });
  const [headers] = await once(late.request({ ':path': '/hello' }).resume(), 'response');
  expect(headers[':status']).toBe(200);
  await once(late, 'close');
});

test('close lets a request finish, and ends idle connections at once', async () => {
  const { url, port, close } = await open({ graceMs: 600_000, slowClientMs: 50_000 });
  const idle = await secureSocket(port);
  const used = await secureSocket(port);
  used.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(used, 'data');
  const silent = connectTcp(port, '127.0.0.1');
  await once(silent, 'connect');
  const inFlight = call(`${url}/slow`, { agent: new https.Agent({ keepAlive: true, ca }) });
  await slowCalled;
  const closed = close();
  await Promise.all([readAll(used), readAll(silent)]);
  endSlow();
  expect((await inFlight).body).toEqual({ done: true });
  await closed;
  await readAll(idle);
  await expect(call(`${url}/hello`)).rejects.toThrow('ECONNREFUSED');
});

test('close cuts a request that does not end', async () => {
  const { url, close } = await open({ graceMs: 100 });
  const outcome = call(`${url}/slow`).then(
    () => 'answered',
    () => 'cut',
  );
  await slowCalled;
  await close();
  expect(await outcome).toBe('cut');
});

test('a port in use is reported with what to do', async () => {
  const { port } = await open();
  await expect(listen(app, { host: '127.0.0.1', port, tls, trustedProxies: [] })).rejects.toThrow(
    `Cannot listen on 127.0.0.1 port ${port}: another program already listens`,
  );
});

type CallOptions = {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  ca?: string | undefined;
  localAddress?: string;
  agent?: https.Agent;
};

async function call(url: string, given: CallOptions = {}) {
  const { body, ...options } = { ca, ...given };
  const client = url.startsWith('https:') ? https : http;
  const request = client.request(url, {
    agent: false,
    method: body ? 'POST' : 'GET',
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
  request.end(body ? JSON.stringify(body) : undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) };
}

async function secureSocket(port: number): Promise<TLSSocket> {
  const socket = connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  return socket;
}
