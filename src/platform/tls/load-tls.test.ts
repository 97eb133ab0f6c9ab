import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkServerIdentity, connect, createServer } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { issueCertificate, type Name } from './issue-certificate.ts';
import { loadTls, type Tls, watchTls } from './load-tls.ts';

let dataDir: string;
const warnings: string[] = [];
const log = { warn: (text: string) => warnings.push(text) };
const days = (n: number) => new Date(Date.now() + n * 24 * 60 * 60 * 1000);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  warnings.length = 0;
});

afterEach(() => rm(dataDir, { recursive: true }));

test('without a certificate of the operator, one is created and signed by our own authority', async () => {
  const tls = await loadTls({ dataDir, names: ['shop.example', '[fd00::5]'] });
  const certificate = new X509Certificate(tls.cert);
  const authority = new X509Certificate(await readFile(tls.authorityPath!));
  expect(authority.subject).toContain('CN=Parley local authority');
  expect(authority.ca).toBe(true);
  expect(certificate.ca).toBe(false);
  expect(certificate.verify(authority.publicKey)).toBe(true);
  for (const name of ['localhost', 'shop.example']) expect(certificate.checkHost(name)).toBe(name);
  for (const ip of ['127.0.0.1', '::1', 'fd00::5']) expect(certificate.checkIP(ip)).toBe(ip);
  expect(certificate.checkHost('other.example')).toBeUndefined();
  const lifeDays = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 864e5;
  expect(lifeDays).toBeCloseTo(397, 1);
  for (const secret of ['key.pem', 'authority-key.pem']) {
    expect((await stat(join(dataDir, 'tls', secret))).mode & 0o777).toBe(0o600);
  }
});

test('it stays until it expires or a name is missing; the authority and the key stay', async () => {
  const first = await loadTls({ dataDir, names: ['a.example', 'b.example'] });
  const authority = await readFile(first.authorityPath!, 'utf8');
  const shorter = await loadTls({ dataDir, names: ['a.example'], now: days(360) });
  expect(shorter.cert).toBe(first.cert);

  const renewed = await loadTls({ dataDir, names: ['a.example'], now: days(370) });
  expect(renewed.cert).not.toBe(first.cert);
  expect(renewed.key).toBe(first.key);
  expect(new X509Certificate(renewed.cert).checkHost('b.example')).toBeUndefined();
  const named = await loadTls({ dataDir, names: ['b.example'], now: days(370) });
  expect(new X509Certificate(named.cert).checkHost('b.example')).toBe('b.example');
  expect(await readFile(first.authorityPath!, 'utf8')).toBe(authority);
});

test('one that cannot be renewed serves until it ends, and is reported', async () => {
  const first = await loadTls({ dataDir, names: ['a.example'] });
  expect(first.doubts).toEqual([]);
  await rm(join(dataDir, 'tls', 'authority-key.pem'));
  const kept = await loadTls({ dataDir, names: ['a.example'], now: days(390) });
  expect(kept.cert).toBe(first.cert);
  expect(kept.doubts).toEqual([
    expect.stringMatching(
      /^The certificate cannot be renewed, and ends on .*authority-key\.pem is/,
    ),
  ]);
  const renewing = { dataDir, names: ['a.example'], now: days(400) };
  await expect(loadTls(renewing)).rejects.toThrow('authority-key.pem is missing');
});

test('an authority that expires is replaced, and its old files are kept', async () => {
  const first = await loadTls({ dataDir, names: [] });
  const second = await loadTls({ dataDir, names: [], now: days(3640) });
  const authority = new X509Certificate(await readFile(second.authorityPath!));
  expect(new X509Certificate(second.cert).verify(authority.publicKey)).toBe(true);
  expect(new X509Certificate(first.cert).verify(authority.publicKey)).toBe(false);
  expect(second.replaced).toMatch(/tls\.replaced-20\d\d-/);
  expect(await readdir(second.replaced!)).toContain('authority-key.pem');
});

test('one that was created while the clock was ahead is reported, and stays, because the clock may be wrong now', async () => {
  const made = await loadTls({ dataDir, names: [], now: days(700) });
  expect(made.doubts).toEqual([]);
  const later = await loadTls({ dataDir, names: [] });
  expect(later.cert).toBe(made.cert);
  expect(later.doubts).toEqual([
    expect.stringMatching(
      /^The certificate in \S+\/tls is not valid before \w+ .*: move that folder away and restart\.$/,
    ),
  ]);
});

test('an authority that must not sign for a new name is replaced by one that may, and for the old names too', async () => {
  const first = await loadTls({ dataDir, names: ['a.example', 'fd00::5'] });
  const second = await loadTls({ dataDir, names: ['b.example'] });
  expect(second.replaced).toBeDefined();
  expect(second.cert).not.toBe(first.cert);
  const authority = await readFile(second.authorityPath!, 'utf8');
  // Processes with different names do not replace the authority again and again.
  for (const names of [['a.example', 'fd00::5'], ['b.example'], ['a.example']]) {
    const next = await loadTls({ dataDir, names });
    expect(next.replaced).toBeUndefined();
    expect(await readFile(next.authorityPath!, 'utf8')).toBe(authority);
    expect(await handshake(next, authority, names[0]!)).toBe('trusted');
  }
});

test('an authority of an earlier version, which may sign for any name, stays', async () => {
  const old = await makeUnconstrained();
  const tls = await loadTls({ dataDir, names: ['new.example'] });
  expect(await readFile(tls.authorityPath!, 'utf8')).toBe(old.cert);
  expect(tls.replaced).toBeUndefined();
  expect(await handshake(tls, old.cert, 'new.example')).toBe('trusted');
});

test('a client that trusts the authority trusts it for its own names and addresses only', async () => {
  const tls = await loadTls({ dataDir, names: ['shop.example'] });
  const ca = await readFile(tls.authorityPath!, 'utf8');
  for (const name of ['localhost', 'shop.example', '127.0.0.1', '::1']) {
    expect(await handshake(tls, ca, name)).toBe('trusted');
  }
  const authority = {
    cert: ca,
    key: await readFile(join(dataDir, 'tls', 'authority-key.pem'), 'utf8'),
  };
  for (const names of [
    ['bank.example'],
    ['10.0.0.1'],
    ['fd00::9'],
    ['localhost', 'bank.example'],
    ['xshop.example'],
  ]) {
    const forged = { cert: issueLeaf(authority, tls.key, { names }), key: tls.key };
    expect(await handshake(forged, ca, names.at(-1)!), names.join()).toBe(
      'permitted subtree violation',
    );
  }
});

test('the authority cannot create another authority', async () => {
  const tls = await loadTls({ dataDir, names: [] });
  const ca = await readFile(tls.authorityPath!, 'utf8');
  const authority = {
    cert: ca,
    key: await readFile(join(dataDir, 'tls', 'authority-key.pem'), 'utf8'),
  };
  const middle = { cert: issueLeaf(authority, tls.key, {}), key: tls.key };
  const leaf = issueLeaf(middle, tls.key, { names: ['localhost'] });
  const outcome = await handshake({ cert: leaf + middle.cert, key: tls.key }, ca, 'localhost');
  expect(outcome).toBe('path length constraint exceeded');
});

test('processes that start at once agree on one authority', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => loadTls({ dataDir, names: [] })));
  expect(new Set(all.map((each) => each.cert)).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['tls']);
});

test("the operator's certificate is used, and problems that clients will have with it are reported", async () => {
  const files = await ownFiles(['shop.example']);
  const tls = await loadTls({ dataDir, ...files, names: ['shop.example'] });
  expect(tls.cert).toBe(await readFile(files.certFile, 'utf8'));
  expect(tls.authorityPath).toBeUndefined();
  expect(tls.doubts).toEqual([]);

  // It is valid for 397 days.
  const before = (left: number) =>
    loadTls({ dataDir, ...files, names: ['shop.example'], now: days(397 - left) });
  expect((await before(16)).doubts).toEqual([]);
  expect((await before(12)).doubts).toEqual([
    expect.stringMatching(/a-cert\.pem: the certificate ends on .*; renew it/),
  ]);
  const late = await loadTls({ dataDir, ...files, names: ['x.example'], now: days(400) });
  expect(late.doubts).toEqual([
    expect.stringMatching(/a-cert\.pem: the certificate expired on/),
    expect.stringMatching(/a-cert\.pem: the certificate is not for x\.example/),
  ]);
});

test('files that cannot be used are refused with a plain message', async () => {
  const files = await ownFiles(['a.example']);
  const other = await ownFiles(['b.example'], 'b');
  const load = (given: { certFile?: string; keyFile?: string }) =>
    loadTls({ dataDir, names: [], ...given });
  await expect(load({ certFile: files.certFile })).rejects.toThrow('set both or none');
  await expect(load({ ...files, keyFile: '/none.pem' })).rejects.toThrow(
    'PARLEY_TLS_KEY names /none.pem, but there is no such file',
  );
  await expect(load({ ...files, keyFile: other.keyFile })).rejects.toThrow('is not the key of');
  await expect(load({ ...files, certFile: files.keyFile })).rejects.toThrow('holds no certificate');
  await expect(load({ ...files, keyFile: files.certFile })).rejects.toThrow('no private key');
});

test('a changed pair of files is reported; a half-changed one only once it matches', async () => {
  const files = await ownFiles(['a.example']);
  const next = await ownFiles(['b.example'], 'b');
  const options = { dataDir, ...files, names: [], log };
  const current = await loadTls(options);
  const { promise: changed, resolve } = Promise.withResolvers<Tls>();
  const watch = watchTls(options, current, resolve, 5);
  // Each file is replaced as a whole, because a half-written one is not a certificate and has another
  // warning.
  await rename(next.certFile, files.certFile);
  while (warnings.length === 0) await new Promise((done) => setTimeout(done, 5));
  expect(warnings[0]).toMatch(/Kept the old TLS certificate.*is not the key of/);
  await rename(next.keyFile, files.keyFile);
  expect((await changed).cert).toBe(await readFile(files.certFile, 'utf8'));
  watch.close();
});

test('a certificate that nobody renews is reported once before its end, and once after it', async () => {
  const files = await ownFiles(['a.example']);
  const options = { dataDir, ...files, names: [], log, now: new Date() };
  const current = await loadTls(options);
  const watch = watchTls(options, current, () => expect.unreachable(), 5);
  const until = async (count: number) => {
    while (warnings.length < count) await new Promise((done) => setTimeout(done, 5));
  };
  options.now = days(390);
  await until(1);
  options.now = days(400);
  await until(2);
  watch.close();
  expect(warnings).toEqual([
    expect.stringMatching(/the certificate ends on/),
    expect.stringMatching(/the certificate expired on/),
  ]);
});

type Pair = { cert: string; key: string };

/**
 * Issues a certificate for a key, signed by an authority: of a server with `names`, or of another authority.
 */
function issueLeaf(issuer: Pair, key: string, { names }: { names?: string[] }): string {
  return issueCertificate({
    subject: { CN: 'Forged', OU: names ? 'server' : 'authority' },
    key: createPrivateKey(key),
    issuer: new X509Certificate(issuer.cert).toLegacyObject().subject as unknown as Name,
    issuerKey: createPrivateKey(issuer.key),
    notBefore: days(-1),
    notAfter: days(30),
    ...(names && { names }),
  });
}

/** Creates the folder of an earlier version, whose authority has no constraints. */
async function makeUnconstrained(): Promise<Pair> {
  const { key } = await loadTls({ dataDir: join(dataDir, 'elsewhere'), names: [] });
  const name = { CN: 'Parley local authority', OU: 'old' };
  const cert = issueCertificate({
    subject: name,
    key: createPrivateKey(key),
    issuer: name,
    issuerKey: createPrivateKey(key),
    notBefore: days(-1),
    notAfter: days(3000),
  });
  await mkdir(join(dataDir, 'tls'));
  const files = { 'authority.pem': cert, 'authority-key.pem': key, 'key.pem': key };
  for (const [file, text] of Object.entries(files))
    await writeFile(join(dataDir, 'tls', file), text);
  return { cert, key };
}

/**
 * Returns the outcome of a handshake: a client that trusts only `ca` calls a server by a name or an address.
 */
async function handshake({ cert, key }: Pair, ca: string, name: string): Promise<string> {
  const server = createServer({ cert, key }, (socket) => socket.end()).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => {});
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({
    port,
    ca,
    host: '127.0.0.1',
    ...(isIP(name) ? {} : { servername: name }),
    checkServerIdentity: (_host, peer) => checkServerIdentity(name, peer),
  });
  const outcome = await once(socket, 'secureConnect').then(
    () => 'trusted',
    (error) => String(error.message),
  );
  socket.destroy();
  server.close();
  return outcome;
}

async function ownFiles(names: string[], prefix = 'a') {
  const tls = await loadTls({ dataDir: join(dataDir, prefix), names });
  const certFile = join(dataDir, `${prefix}-cert.pem`);
  const keyFile = join(dataDir, `${prefix}-key.pem`);
  await writeFile(certFile, tls.cert);
  await writeFile(keyFile, tls.key);
  return { certFile, keyFile };
}
