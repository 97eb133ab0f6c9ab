import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { issueCertificate, type Name } from './issue-certificate.ts';
import { permittedNames } from './name-constraints.ts';
import { TlsProblem } from './tls-problem.ts';

export type MadeCertificate = {
  cert: string;
  key: string;
  authorityPath: string;
  /** The folder of the authority that this one has just replaced. */
  replaced?: string;
  /** Why this one could not be renewed, although it ends soon. */
  problem?: string;
};

const dayMs = 24 * 60 * 60 * 1000;
/** A client's clock may be behind ours. */
const clockSkewMs = dayMs;
const authorityDays = 3652;
/** Apple's systems refuse longer ones: https://support.apple.com/en-us/102028 */
const certificateDays = 397;
const renewBeforeDays = 30;
const alwaysNamed = ['localhost', '127.0.0.1', '::1'];

/**
 * Loads or creates Parley's own certificate in `<dataDir>/tls/`. It is renewed if it expires within 30 days
 * or lacks one of `names` (host names and addresses; localhost is always included). One that cannot be renewed is
 * used until its end.
 *
 * The authority that signs it stays, so that clients need not be changed. It is replaced only if it expires
 * within 30 days or must not sign for one of `names`. The new one may also sign for the names of the old one,
 * so that two processes with different names do not replace it again and again.
 */
export async function makeCertificates(options: {
  dataDir: string;
  names: string[];
  now?: Date;
}): Promise<MadeCertificate> {
  const now = options.now ?? new Date();
  const names = [...new Set([...alwaysNamed, ...options.names])];
  const folder = join(options.dataDir, 'tls');
  const authorityPath = join(folder, 'authority.pem');

  const pem = await readPem(authorityPath);
  const authority = pem === undefined ? undefined : new X509Certificate(pem);
  let replaced: string | undefined;
  if (!authority) await makeFolder(folder, names, names, now);
  else if (!canSign(authority, names, now)) {
    replaced = `${folder}.replaced-${now.toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`;
    await rename(folder, replaced).catch(ignoreMissing);
    const permitted = [...new Set([...names, ...(permittedNames(authority) ?? [])])];
    await makeFolder(folder, permitted, names, now);
  }

  const key = await readWhole(join(folder, 'key.pem'));
  const current = await readPem(join(folder, 'certificate.pem'));
  if (current && isGood(new X509Certificate(current), names, now, renewBeforeDays)) {
    return { cert: current, key, authorityPath, ...(replaced && { replaced }) };
  }
  try {
    const cert = await renew(folder, key, names, now);
    return { cert, key, authorityPath };
  } catch (error) {
    const old = current === undefined ? undefined : new X509Certificate(current);
    if (!old || !isGood(old, names, now, 0)) throw error;
    const problem = `The certificate cannot be renewed, and ends on ${old.validTo}. ${(error as Error).message}`;
    return { cert: current!, key, authorityPath, problem };
  }
}

/** @throws TlsProblem */
async function renew(folder: string, key: string, names: string[], now: Date): Promise<string> {
  const authority = {
    cert: await readWhole(join(folder, 'authority.pem')),
    key: await readWhole(join(folder, 'authority-key.pem')),
  };
  const cert = issue(authority, key, names, now);
  await writeWhole(join(folder, 'certificate.pem'), cert);
  return cert;
}

/** Another process has moved the folder at the same time. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function canSign(authority: X509Certificate, names: string[], now: Date): boolean {
  if (endsWithin(authority, renewBeforeDays, now)) return false;
  const permitted = permittedNames(authority);
  return permitted === undefined || names.every((name) => permitted.includes(name));
}

/** PEM texts. */
type Pair = { cert: string; key: string };

/** Creates the folder under another name and renames it, so that files of two processes never mix. */
async function makeFolder(
  folder: string,
  permitted: string[],
  names: string[],
  now: Date,
): Promise<void> {
  const unfinished = `${folder}.unfinished-${randomBytes(4).toString('hex')}`;
  const authority = makeAuthority(permitted, now);
  const key = newKey();
  const files = {
    'authority.pem': authority.cert,
    'authority-key.pem': authority.key,
    'key.pem': key,
    'certificate.pem': issue(authority, key, names, now),
  };
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(unfinished, name), text, { mode: 0o600, flush: true });
    }
    // Clients of other users may read the certificate that they are to trust.
    await chmod(unfinished, 0o755);
    await chmod(join(unfinished, 'authority.pem'), 0o644);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') {
      await readWhole(join(folder, 'authority.pem')); // another process was faster
      return;
    }
    throw new TlsProblem(`The certificates cannot be written to ${folder}: ${error}.`, {
      cause: error,
    });
  }
}

function makeAuthority(permitted: string[], now: Date): Pair {
  const key = newKey();
  // The unit distinguishes the authorities of two installations in a browser's list.
  const name = { CN: 'Parley local authority', OU: randomBytes(4).toString('hex') };
  const privateKey = createPrivateKey(key);
  const cert = issueCertificate({
    subject: name,
    key: privateKey,
    issuer: name,
    issuerKey: privateKey,
    notBefore: new Date(now.getTime() - clockSkewMs),
    notAfter: new Date(now.getTime() + authorityDays * dayMs),
    permittedNames: permitted,
  });
  return { cert, key };
}

function issue(authority: Pair, key: string, names: string[], now: Date): string {
  const certificate = new X509Certificate(authority.cert);
  const start = now.getTime() - clockSkewMs;
  const end = Math.min(start + certificateDays * dayMs, Date.parse(certificate.validTo));
  return issueCertificate({
    subject: { CN: 'Parley', OU: 'this server' },
    key: createPrivateKey(key),
    issuer: certificate.toLegacyObject().subject as unknown as Name,
    issuerKey: createPrivateKey(authority.key),
    notBefore: new Date(start),
    notAfter: new Date(end),
    names,
  });
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function isGood(certificate: X509Certificate, names: string[], now: Date, days: number): boolean {
  if (endsWithin(certificate, days, now)) return false;
  return names.every((name) =>
    isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name),
  );
}

function endsWithin(certificate: X509Certificate, days: number, now: Date): boolean {
  return Date.parse(certificate.validTo) < now.getTime() + days * dayMs;
}

async function readPem(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new TlsProblem(`${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

async function readWhole(path: string): Promise<string> {
  const text = await readPem(path);
  if (text) return text;
  throw new TlsProblem(
    `${path} is missing. Remove its folder, and Parley creates a new authority and certificate. Clients must then trust the new authority.`,
  );
}

async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (cause) {
    // Without the name of the draft, so that a second try has the same message.
    const { code } = cause as NodeJS.ErrnoException;
    throw new TlsProblem(`${path} cannot be written: ${code}.`, { cause });
  }
}
