import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import tls from 'node:tls';
import { afterAll, afterEach, expect, test } from 'vitest';
import { issueCertificate } from '../tls/issue-certificate.ts';
import { createOutbound } from './outbound.ts';
import { toFailure } from './outbound-failure.ts';

const outbound = createOutbound({
  allowPrivate: ['127.0.0.0/8'],
  lookup: async () => ['127.0.0.1'],
});
const closers: (() => unknown)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => outbound.close());

/** Creates a self-signed certificate for `files.example`, valid from and until the given days from now. */
function certificate(fromDays: number, untilDays: number) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = { CN: 'files.example', OU: 'test' };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const cert = issueCertificate({
    subject: name,
    key: privateKey,
    issuer: name,
    issuerKey: privateKey,
    notBefore: inDays(fromDays),
    notAfter: inDays(untilDays),
    names: ['files.example'],
  });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

async function failureAt(
  server: Server,
  { host = 'files.example', ca }: { host?: string; ca?: string | undefined } = {},
) {
  closers.push(() => server.close());
  server.on('connection', (socket) => closers.push(() => socket.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `https://${host}:${(server.address() as AddressInfo).port}/`;
  return outbound
    .measure(url, { timeoutMs: 60_000, enough: () => 1, ...(ca && { ca }) })
    .then(String, (failure) => ({ kind: failure.kind, message: failure.message }));
}

/** A server that sends these bytes after the first message of the handshake. */
const serverSending = (bytes: string | number[]) =>
  createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.from(bytes as string))),
  );
const alert = (code: number) => serverSending([21, 3, 3, 0, 2, 2, code]);

test.each([
  [
    'plain HTTP',
    () => serverSending('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'This port does not speak TLS.',
  ],
  ['SSH', () => serverSending('SSH-2.0-OpenSSH\r\n'), 'This port does not speak TLS.'],
  [
    'refused ciphers',
    () => alert(40),
    'The TLS handshake failed: the host accepts none of the offered ciphers or settings.',
  ],
  [
    'an old version of TLS',
    () => alert(70),
    'The host speaks only old versions of TLS. Version 1.2 or 1.3 is needed.',
  ],
  ['an unknown name', () => alert(112), 'The host has no certificate for this name.'],
  ['another alert', () => alert(80), 'The TLS handshake failed (tlsv1 alert internal error).'],
])('%s is distinguished from other TLS failures', async (_, serve, message) => {
  expect(await failureAt(serve())).toEqual({ kind: 'tls', message });
});

test('a connection that is closed during the handshake is a failure of the connection', async () => {
  expect(await failureAt(serverSending(''))).toEqual({
    kind: 'connection',
    message: 'The host closed the connection during the TLS handshake.',
  });
});

test.each([
  ['signed by itself', 'is not trusted: it is self-signed', [-1, 1], {}],
  ['for another name', 'is for another name', [-1, 1], { host: 'other.example', trusted: true }],
  ['that has expired', 'has expired', [-2, -1], { trusted: true }],
  ['from the future', 'is not valid yet', [1, 2], { trusted: true }],
] as const)('a certificate %s is refused with the reason', async (_, reason, days, options) => {
  const given = certificate(days[0], days[1]);
  const ca = 'trusted' in options ? given.cert : undefined;
  expect(await failureAt(tls.createServer(given), { ...options, ca })).toEqual({
    kind: 'tls',
    message: `The certificate of the host ${reason}.`,
  });
});

test.each([
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'The certificate of the host is not trusted: its authority is unknown.',
  ],
  ['UNABLE_TO_GET_CRL', 'The certificate of the host is not trusted.'],
])('%s has a text', (code, message) => {
  expect(toFailure(Object.assign(new Error('raw'), { code }))).toMatchObject({
    kind: 'tls',
    message,
  });
});

test('the message of OpenSSL with its source file and line break is never shown', () => {
  const raw = '4061:error:0A000001:SSL routines:f:odd thing:../deps/openssl/ssl/x.c:77:\n';
  const failure = toFailure(
    Object.assign(new Error(raw), { code: 'ERR_SSL_ODD_THING', reason: 'odd\r\nthing' }),
  );
  expect(failure.message).toBe('The TLS handshake failed (odd thing).');
});
