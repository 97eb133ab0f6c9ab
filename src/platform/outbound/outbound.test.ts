import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadTls, type Tls } from '../tls/load-tls.ts';
import { parseNetworks } from '../values/networks.ts';
import { guardAddresses, privateRangeOf } from './addresses/guard-addresses.ts';
import { createOutbound, type Outbound } from './outbound.ts';
import { AddressRefused, OutboundFailure } from './outbound-failure.ts';

const loopback = ['127.0.0.0/8', '::1'];
const closers: (() => unknown)[] = [];
let dataDir: string;
let tls: Tls;
let ca: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-outbound-'));
  tls = await loadTls({ dataDir, names: ['hooks.example'] });
  ca = await readFile(tls.authorityPath!, 'utf8');
});

afterAll(() => rm(dataDir, { recursive: true }));

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const limits = { timeoutMs: 20_000, maxBodyBytes: 1_000 };

const outboundTo = (given: Parameters<typeof createOutbound>[0]): Outbound => {
  const outbound = createOutbound(given);
  closers.push(() => outbound.close());
  return outbound;
};

async function serve<S extends Server>(server: S, host = '127.0.0.1') {
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    closers.push(() => socket.destroy());
  });
  server.listen(0, host);
  await once(server, 'listening');
  closers.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const plain = (respond: RequestListener, host?: string) => serve(http.createServer(respond), host);
const secure = (respond: RequestListener) => serve(https.createServer(tls, respond));

test.each([
  'https://127.0.0.1:PORT/',
  'https://127.1:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.0.0.1:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https://①②⑦.0.0.1:PORT/',
  'https://localhost:PORT/',
  'https://LOCALHOST:PORT/',
  'https://any.localhost:PORT/',
  'https://localhost.:PORT/',
  'https://0.0.0.0:PORT/',
  'https://0:PORT/',
  'https://[::]:PORT/',
  'https://[::1]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[64:ff9b::7f00:1]:PORT/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::1]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/',
  'https://168.63.129.16/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://203.0.113.7/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[2001:100::1]/',
  'https://[4000::1]/',
  'https://user@93.184.216.34/',
  'https://:secret@93.184.216.34/',
  'http://93.184.216.34/',
  'ftp://93.184.216.34/',
  'file:///etc/passwd',
  'no url',
])('%s is refused without a connection', async (url) => {
  const { port, connections } = await plain((_, response) => response.end());
  const outbound = outboundTo({ allowPrivate: [] });
  const call = outbound.request(url.replace('PORT', String(port)), limits);
  await expect(call).rejects.toThrow(AddressRefused);
  expect(connections()).toBe(0);
});

test('the addresses next to refused ranges are public', () => {
  const neighbours = ['9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.0.0.1'];
  neighbours.push('128.0.0.1', '169.253.0.1', '172.15.0.1', '172.32.0.1', '192.167.0.1');
  neighbours.push('8.8.8.8', '223.255.255.1', '2606:4700::1111', '2a00:1450::1', '2001:4860::1');
  for (const address of neighbours) expect(privateRangeOf(address), address).toBeUndefined();
});

test('a host with one private address among public ones is refused', async () => {
  const scoped = ['fe80::1%eth0', '2606:4700::1111%eth0'];
  for (const bad of ['127.0.0.1', '10.1.2.3', 'fe80::1', '::ffff:127.0.0.1', ...scoped]) {
    const outbound = outboundTo({ allowPrivate: [], lookup: async () => ['93.184.216.34', bad] });
    const failure = await outbound
      .request('https://hooks.example/', limits)
      .catch((thrown) => thrown);
    expect(failure, bad).toBeInstanceOf(AddressRefused);
    expect(failure).toMatchObject({ kind: 'refused', address: bad });
    expect(failure.message).not.toContain(bad);
  }
});

test('a host that changes its address after the first call reaches no other address', async () => {
  const inside = await plain((_, response) => response.end('inside'));
  // In this order, because no other test has the port on the other address.
  const allowed = http.createServer((_, response) => response.end('allowed'));
  await once(allowed.listen(inside.port, '127.0.0.2'), 'listening');
  closers.push(() => allowed.close());
  const lookups = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2', '127.0.0.1']];
  const outbound = outboundTo({
    allowPrivate: ['127.0.0.2'],
    lookup: async () => lookups.shift() ?? ['127.0.0.1'],
  });
  const url = `http://hooks.example:${inside.port}/`;
  expect(String((await outbound.request(url, limits)).body)).toBe('allowed');
  // Several at once, so that some reuse the connection and others make a new one.
  const later = await Promise.allSettled([1, 2, 3, 4].map(() => outbound.request(url, limits)));
  expect(later.filter((each) => each.status === 'rejected').length).toBeGreaterThan(0);
  for (const each of later) {
    if (each.status === 'fulfilled') expect(String(each.value.body)).toBe('allowed');
    else expect(each.reason).toBeInstanceOf(AddressRefused);
  }
  expect(inside.connections()).toBe(0);
});

test('an allowed private host is called by its name, and its certificate is checked for that name', async () => {
  const { port } = await secure((request, response) => {
    const { servername } = request.socket as TLSSocket;
    response.setHeader('x-seen', `${servername} ${request.method} ${request.headers.host}`);
    request.pipe(response);
  });
  const outbound = outboundTo({ allowPrivate: loopback, lookup: async () => ['127.0.0.1'] });
  const url = `https://hooks.example:${port}/path?q=1`;
  const options = {
    ...limits,
    ca,
    method: 'POST' as const,
    headers: { 'x-a': 'b' },
    body: '{"a":1}',
  };
  const response = await outbound.request(url, options);
  expect(response).toMatchObject({ status: 200, truncated: false });
  expect(response.headers['x-seen']).toBe(`hooks.example POST hooks.example:${port}`);
  expect(String(response.body)).toBe('{"a":1}');

  const other = outbound.request(url.replace('hooks', 'other'), options);
  await expect(other).rejects.toMatchObject({
    kind: 'tls',
    message: expect.stringContaining('for another name'),
  });
  const untrusted = outbound.request(url, limits);
  await expect(untrusted).rejects.toMatchObject({
    kind: 'tls',
    message: expect.stringContaining('not trusted'),
  });
  const byAddress = outbound.request(`https://127.0.0.1:${port}/`, { ...limits, ca });
  expect((await byAddress).status).toBe(200);
});

test('a Host header cannot choose another name', async () => {
  const outbound = outboundTo({ allowPrivate: loopback });
  const call = outbound.request('https://127.0.0.1:1/', { ...limits, headers: { HOST: 'x' } });
  await expect(call).rejects.toThrow('Host header');
});

test('plain HTTP goes to allowed networks, and elsewhere only if HTTPS is not required', async () => {
  const { port } = await plain((_, response) => response.end('here'));
  const url = `http://127.0.0.1:${port}/`;
  const allowed = outboundTo({ allowPrivate: loopback });
  expect(String((await allowed.request(url, limits)).body)).toBe('here');

  const [strict, lax] = [true, false].map((https) => guardAddresses(parseNetworks([]), https));
  expect(() => strict!('hooks.example', '93.184.216.34', false)).toThrow('Use https://.');
  expect(() => lax!('hooks.example', '93.184.216.34', false)).not.toThrow();
  expect(() => lax!('hooks.example', '10.0.0.1', false)).toThrow(AddressRefused);
});

test('a redirect is returned and not followed', async () => {
  const { port, connections } = await plain((request, response) => {
    response.writeHead(302, { location: request.url === '/' ? '/elsewhere' : '/' });
    response.end();
  });
  const response = await outboundTo({ allowPrivate: loopback }).request(
    `http://127.0.0.1:${port}/`,
    limits,
  );
  expect(response).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
  expect(connections()).toBe(1);
});

test('connections to the same host are reused', async () => {
  const { port, connections } = await plain((_, response) => response.end('x'));
  const outbound = outboundTo({ allowPrivate: loopback });
  for (let n = 0; n < 3; n++) {
    await outbound.request(`http://127.0.0.1:${port}/`, limits);
    await sleep(20); // The connection becomes free a moment after its response.
  }
  expect(connections()).toBe(1);
});

test('the time limit covers the name lookup, the handshake, and the response up to its last byte', async () => {
  const drip = await plain((_, response) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.once('close', () => clearInterval(timer));
  });
  const silent = await serve(createServer(() => {}));
  const brief = { ...limits, timeoutMs: 150 };
  const outbound = outboundTo({ allowPrivate: loopback });
  for (const url of [`http://127.0.0.1:${silent.port}/`, `https://127.0.0.1:${silent.port}/`]) {
    await expect(outbound.request(url, brief), url).rejects.toMatchObject({ kind: 'timeout' });
  }
  // Long enough for the head to arrive on a slow machine.
  const slow = outbound.request(`http://127.0.0.1:${drip.port}/`, {
    timeoutMs: 1_500,
    maxBodyBytes: 1e9,
  });
  await expect(slow).rejects.toMatchObject({ kind: 'timeout', status: 200 });
  const nameless = outboundTo({ allowPrivate: [], lookup: () => new Promise(() => {}) });
  const call = nameless.request('https://hooks.example/', brief);
  await expect(call).rejects.toMatchObject({
    kind: 'timeout',
    message: 'No response within 150 ms.',
  });
});

test('a response is read up to the limit, then the connection is dropped', async () => {
  const { promise: dropped, resolve } = Promise.withResolvers<void>();
  const { port } = await plain((request, response) => {
    if (request.url === '/exact') return response.end('x'.repeat(1_000));
    response.once('close', resolve);
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
    return response;
  });
  const outbound = outboundTo({ allowPrivate: loopback });
  const endless = await outbound.request(`http://127.0.0.1:${port}/`, limits);
  expect(endless).toMatchObject({ status: 200, truncated: true });
  expect(endless.body.length).toBe(1_000);
  await dropped;
  const exact = await outbound.request(`http://127.0.0.1:${port}/exact`, limits);
  expect(exact).toMatchObject({ truncated: false });
  expect(exact.body.length).toBe(1_000);
});

test('other failures name their kind', async () => {
  const breaking = await serve(createServer((socket) => socket.resetAndDestroy()));
  const garbage = await serve(createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n')));
  const goOn = await serve(createServer((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')));
  const cutShort = await plain((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('x');
    setTimeout(() => response.destroy(), 20);
  });
  const gone = await serve(createServer());
  await (closers.pop() as () => unknown)();
  const outbound = outboundTo({ allowPrivate: loopback });
  for (const [url, kind] of [
    [`http://127.0.0.1:${gone.port}/`, 'connection'],
    [`http://127.0.0.1:${breaking.port}/`, 'connection'],
    [`http://127.0.0.1:${cutShort.port}/`, 'connection'],
    [`http://127.0.0.1:${garbage.port}/`, 'protocol'],
    [`http://127.0.0.1:${goOn.port}/`, 'protocol'],
    [`https://127.0.0.1:${garbage.port}/`, 'tls'],
  ] as const) {
    const failure = await outbound.request(url, limits).catch((thrown) => thrown);
    expect(failure, url).toBeInstanceOf(OutboundFailure);
    expect(failure, url).toMatchObject({
      kind,
      message: expect.stringMatching(/^(The|This) .*[.)]$/),
    });
  }
  const empty = outboundTo({ allowPrivate: [], lookup: async () => [] });
  await expect(empty.request('https://hooks.example/', limits)).rejects.toMatchObject({
    kind: 'dns',
  });
});

test('if an address of a host does not respond, the next one is tried', async () => {
  const { port } = await secure((_, response) => response.end('here'));
  const outbound = outboundTo({
    allowPrivate: loopback,
    lookup: async () => ['127.0.0.9', '127.0.0.1'],
  });
  const response = await outbound.request(`https://hooks.example:${port}/`, { ...limits, ca });
  expect(String(response.body)).toBe('here');
});

test('a response is measured until there are enough bytes, or until the time limit', async () => {
  const { promise: dropped, resolve } = Promise.withResolvers<void>();
  const { port } = await secure((_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 5);
    response.once('close', () => {
      clearInterval(timer);
      resolve();
    });
  });
  const outbound = outboundTo({ allowPrivate: loopback, lookup: async () => ['127.0.0.1'] });
  const url = `https://hooks.example:${port}/`;
  const response = await outbound.measure(url, { timeoutMs: 20_000, ca, enough: () => 3_500 });
  expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
  expect(response.bytes).toBeGreaterThanOrEqual(3_500);
  await dropped;

  const endless = outbound.measure(url, { timeoutMs: 1_500, ca, enough: () => 1e9 });
  await expect(endless).rejects.toMatchObject({ kind: 'timeout', status: 200 });
  const untrusted = outbound.measure(url, { timeoutMs: 20_000, enough: () => 1 });
  await expect(untrusted).rejects.toMatchObject({ kind: 'tls' });
});

test('a response is available once its head has arrived, and is read no further than needed', async () => {
  const { promise: dropped, resolve } = Promise.withResolvers<void>();
  const { port, connections } = await plain((request, response) => {
    if (request.url === '/silent') return;
    response.writeHead(203, { 'content-type': 'text/plain', 'x-seen': request.headers.accept });
    response.write('first');
    // The rest arrives long after the time limit of the head.
    if (request.url === '/slow') setTimeout(() => response.end(' last'), 2_000);
    else response.once('close', resolve);
  });
  const outbound = outboundTo({ allowPrivate: loopback });
  const open = (path: string) =>
    outbound.open(`http://127.0.0.1:${port}${path}`, {
      timeoutMs: 1_500,
      maxBodyBytes: 1_000,
      headers: { accept: 'text/*' },
    });
  const slow = await open('/slow');
  expect(slow).toMatchObject({
    status: 203,
    headers: { 'content-type': 'text/plain', 'x-seen': 'text/*' },
  });
  expect(Buffer.concat(await slow.body.toArray()).toString()).toBe('first last');

  (await open('/endless')).body.destroy();
  await dropped;
  await expect(open('/silent')).rejects.toMatchObject({ kind: 'timeout' });

  const before = connections();
  const strict = outboundTo({ allowPrivate: [], requireHttps: false });
  const refused = strict.open(`http://127.0.0.1:${port}/slow`, {
    timeoutMs: 1_500,
    maxBodyBytes: 1,
  });
  await expect(refused).rejects.toThrow(AddressRefused);
  expect(connections()).toBe(before);
});

test('many long responses at once are measured to the byte', async () => {
  const long = 3 * 1024 * 1024 + 17;
  const respondLong: RequestListener = (request, response) => {
    const [known, bytes] = [request.url === '/known', Buffer.alloc(long, 'ab')];
    if (known) response.setHeader('content-length', long);
    for (let at = 0; at < long; at += 99_991) response.write(bytes.subarray(at, at + 99_991));
    response.end();
  };
  const [http, https] = [await plain(respondLong), await secure(respondLong)];
  const outbound = outboundTo({ allowPrivate: loopback, lookup: async () => ['127.0.0.1'] });
  const urls = [`http://127.0.0.1:${http.port}`, `https://hooks.example:${https.port}`].flatMap(
    (origin) => [`${origin}/known`, `${origin}/unknown`],
  );
  const measured = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      outbound.measure(urls[index % 4]!, { timeoutMs: 30_000, ca, enough: () => 1e9 }),
    ),
  );
  expect(measured.map(({ bytes }) => bytes)).toEqual(Array(20).fill(long));
});

test('close cuts responses that are being measured', async () => {
  const { port } = await plain((_, response) => response.write('x'));
  const outbound = outboundTo({ allowPrivate: loopback });
  const measured = outbound.measure(`http://127.0.0.1:${port}/`, {
    timeoutMs: 20_000,
    enough: () => {
      void outbound.close();
      return 1e9;
    },
  });
  await expect(measured).rejects.toMatchObject({ kind: 'connection' });
});

test('close cuts a request, and later requests fail immediately', async () => {
  const outbound = outboundTo({ allowPrivate: loopback });
  const { port } = await plain(() => outbound.close());
  const url = `http://127.0.0.1:${port}/`;
  const failure = { kind: 'connection', message: 'The service is stopping.' };
  await expect(outbound.request(url, limits)).rejects.toMatchObject(failure);
  const enough = () => 1_000;
  await expect(outbound.measure(url, { timeoutMs: 20_000, enough })).rejects.toMatchObject(failure);
  await expect(outbound.open(url, { timeoutMs: 20_000, maxBodyBytes: 1 })).rejects.toMatchObject(
    failure,
  );
  await expect(outbound.request(url, limits)).rejects.toMatchObject(failure);
});
