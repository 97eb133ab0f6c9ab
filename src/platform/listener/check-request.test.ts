import { once } from 'node:events';
import { connect, type SecureVersion } from 'node:tls';
import { expect, test } from 'vitest';
import { readAll, testListener } from '../../../test/servers/listener.ts';

let served: number;
const listener = testListener((app) => {
  served = 0;
  app.addHook('onRequest', async () => {
    served++;
  });
  app.get('/hello', ({ url, headers: { host } }) => ({ url, host }));
  app.post('/echo', (request) => request.body);
});

async function exchange(...lines: string[]): Promise<string> {
  const socket = await listener.secure();
  socket.write([...lines, '', ''].join('\r\n'));
  return readAll(socket);
}

const json = 'Content-Type: application/json';
const chunks = '2\r\n{}\r\n0';

test.each([
  ['two Host headers', ['GET /hello HTTP/1.1', 'Host: a', 'host: b']],
  ['the same Host header twice', ['GET /hello HTTP/1.1', 'Host: a', 'Host: a']],
  ['two Host headers in HTTP/1.0', ['GET /hello HTTP/1.0', 'Host: a', 'Host: b']],
  ['no Host header', ['GET /hello HTTP/1.1']],
  ['version 2.0', ['GET /hello HTTP/2.0', 'Host: a']],
  ['version 0.9', ['GET /hello HTTP/0.9', 'Host: a']],
  [
    'chunks in HTTP/1.0',
    ['POST /echo HTTP/1.0', 'Host: a', json, 'Transfer-Encoding: chunked', '', chunks],
  ],
  [
    'two transfer codings',
    ['POST /echo HTTP/1.1', 'Host: a', json, 'Transfer-Encoding: gzip, chunked', '', chunks],
  ],
  [
    'one transfer coding twice',
    [
      'POST /echo HTTP/1.1',
      'Host: a',
      json,
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: chunked',
      '',
      chunks,
    ],
  ],
  [
    'a length beside chunks',
    [
      'POST /echo HTTP/1.1',
      'Host: a',
      json,
      'Content-Length: 2',
      'Transfer-Encoding: chunked',
      '',
      chunks,
    ],
  ],
  [
    'two lengths',
    ['POST /echo HTTP/1.1', 'Host: a', json, 'Content-Length: 2', 'Content-Length: 3', '', '{}'],
  ],
  ['a target of another scheme', ['GET ftp://a/hello HTTP/1.1', 'Host: a']],
  ['a target with a user', ['GET https://user@a/hello HTTP/1.1', 'Host: a']],
  ['201 headers', ['GET /hello HTTP/1.1', 'Host: a', ...Array(200).fill('X: y')]],
])('a request with %s is refused before the app sees it', async (_what, lines) => {
  await listener.open();
  expect(await exchange(...lines)).toMatch(/^HTTP\/1\.1 400 [\s\S]*nosniff[\s\S]*"success":false/);
  expect(served).toBe(0);
});

test('a request with an unknown transfer coding gets one response, whatever follows it', async () => {
  await listener.open();
  const text = await exchange(
    'POST /echo HTTP/1.1',
    'Host: a',
    'Transfer-Encoding: xchunked',
    '',
    '0',
    '',
    'GET /hello HTTP/1.1',
    'Host: a',
  );
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  expect(served).toBe(0);
});

test('a target in absolute form is served as its path, with the host in it', async () => {
  await listener.open();
  for (const [target, url] of [
    ['https://real.example:8443/hello?a=b', '/hello?a=b'],
    ['HTTP://real.example:8443/hello', '/hello'],
  ]) {
    expect(
      await exchange(`GET ${target} HTTP/1.1`, 'Host: other.example', 'Connection: close'),
    ).toContain(JSON.stringify({ url, host: 'real.example:8443' }));
  }
  const root = await exchange(
    'GET https://real.example?a=b HTTP/1.1',
    'Host: x',
    'Connection: close',
  );
  expect(root).toMatch(/^HTTP\/1\.1 404 [\s\S]*GET:\/\?a=b/);
});

test('HTTP/1.0 with a length is served, with and without a Host header', async () => {
  await listener.open();
  for (const host of [[], ['Host: a']]) {
    const response = await exchange(
      'POST /echo HTTP/1.0',
      ...host,
      json,
      'Content-Length: 2',
      '',
      '{}',
    );
    expect(response).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n{}$/);
  }
});

test.each(['HEAD', 'GET'])(
  'headers that are too long are reported to a %s as HTTP allows',
  async (method) => {
    await listener.open();
    const lines = [`${method} /hello HTTP/1.1`, 'Host: x', `X: ${'x'.repeat(500_000)}`];
    for (const socket of [await listener.secure(), await listener.plain()]) {
      socket.write(lines.join('\r\n'));
      const [, body] = (await readAll(socket)).split('\r\n\r\n');
      if (method === 'HEAD') expect(body).toBe('');
      else expect(body).toMatch(/headers of the request are too long/);
    }
  },
);

test.each([
  ['ECDHE-ECDSA-AES128-SHA', false],
  ['ECDHE-ECDSA-AES128-SHA256', false],
  ['ECDHE-ECDSA-AES256-CCM8', false],
  ['ECDHE-ECDSA-AES256-CCM', false],
  ['ECDHE-ARIA128-GCM-SHA256:ECDHE-ECDSA-ARIA256-GCM-SHA384', false],
  ['AES128-GCM-SHA256', false],
  ['ECDHE-ECDSA-AES128-GCM-SHA256', true],
  ['ECDHE-ECDSA-AES256-GCM-SHA384', true],
  ['ECDHE-ECDSA-CHACHA20-POLY1305', true],
  ['TLS_AES_128_GCM_SHA256', true],
  ['TLS_AES_128_CCM_SHA256', false],
])('a client that offers only %s completes the handshake: %s', async (ciphers, succeeds) => {
  const { port, setTls } = await listener.open();
  const version: SecureVersion = ciphers.startsWith('TLS_') ? 'TLSv1.3' : 'TLSv1.2';
  for (const renewed of [false, true]) {
    if (renewed) setTls(listener.tls);
    const socket = connect({
      port,
      ca: listener.ca,
      servername: 'localhost',
      minVersion: version,
      maxVersion: version,
      // Also ciphers that this client would not offer by default.
      ciphers: version === 'TLSv1.3' ? ciphers : `${ciphers}:@SECLEVEL=0`,
    });
    const outcome = await once(socket, 'secureConnect').then(
      () => socket.getCipher().name,
      (error) => String(error.message),
    );
    socket.destroy();
    expect(outcome).toMatch(succeeds ? /^(ECDHE|TLS)[-_]/ : /handshake failure/);
  }
});
