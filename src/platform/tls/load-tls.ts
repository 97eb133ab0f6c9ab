import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { type MadeCertificate, makeCertificates } from './make-certificates.ts';
import { TlsProblem } from './tls-problem.ts';

/** PEM texts. */
export type Tls = {
  cert: string;
  key: string;
  /** The certificate that a client must trust, if Parley made this one. */
  authorityPath?: string;
  /** The folder of the authority that this one has just replaced. */
  replaced?: string;
  /** Problems that clients will have with it, a sentence each. None of them stops the service. */
  doubts: string[];
};

export type TlsOptions = {
  dataDir: string;
  /** PARLEY_TLS_CERT and PARLEY_TLS_KEY, the operator's own: both or none. */
  certFile?: string | undefined;
  keyFile?: string | undefined;
  /** Host names and addresses that clients call, besides localhost. */
  names: string[];
  now?: Date;
};

/** Programs that renew certificates have done so by then. For short-lived ones it is the last fifth of their time. */
const renewedBeforeMs = 14 * 86_400_000;

type WatchOptions = TlsOptions & { log: { warn(text: string): void } };

/** Loads the operator's certificate, otherwise one of Parley's own. Throws TlsProblem. */
export async function loadTls(given: TlsOptions): Promise<Tls> {
  // In a URL, an IPv6 address is in brackets.
  const names = given.names.map((name) => name.replace(/^\[(.*)\]$/, '$1'));
  const options = { ...given, names };
  const { certFile, keyFile } = options;
  if (!certFile && !keyFile) {
    const { problem, ...made } = await makeCertificates(options);
    const doubts = findClockDoubts(made, options);
    return { ...made, doubts: problem === undefined ? doubts : [problem, ...doubts] };
  }
  if (!certFile || !keyFile) {
    throw new TlsProblem('PARLEY_TLS_CERT and PARLEY_TLS_KEY belong together: set both or none.');
  }
  const cert = await readSetting('PARLEY_TLS_CERT', certFile);
  const key = await readSetting('PARLEY_TLS_KEY', keyFile);
  const certificate = parseCertificate(cert, certFile);
  if (!certificate.checkPrivateKey(parseKey(key, keyFile))) {
    throw new TlsProblem(
      `The key in ${keyFile} (PARLEY_TLS_KEY) is not the key of the certificate in ${certFile} (PARLEY_TLS_CERT). If the file holds a chain, the server's own certificate comes first.`,
    );
  }
  const doubts = findDoubts(certificate, options).map((doubt) => `${certFile}: ${doubt}`);
  return { cert, key, doubts };
}

/**
 * Reloads once a minute and reports a changed certificate: the operator's renewed one, or Parley's own when
 * it is due. Polled, because a watcher misses replaced links and mounts. For a pair that cannot be used (half
 * written, for example), one warning is logged and the old certificate stays in use. A doubt is logged when it begins,
 * such as that the certificate ends soon.
 */
export function watchTls(
  options: WatchOptions,
  current: Tls,
  onChange: (tls: Tls) => void,
  everyMs = 60_000,
): { close(): void } {
  let known = current;
  let complaint = '';
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      const next = await loadTls(options);
      complaint = '';
      const doubts = next.doubts.filter((doubt) => !known.doubts.includes(doubt));
      for (const doubt of doubts) options.log.warn(doubt);
      const isChanged = next.cert !== known.cert || next.key !== known.key;
      known = next;
      if (isChanged) onChange(next);
    } catch (error) {
      const text = (error as Error).message;
      if (text !== complaint) options.log.warn(`Kept the old TLS certificate. ${text}`);
      complaint = text;
    } finally {
      busy = false;
    }
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}

async function readSetting(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EACCES'
          ? 'this user may not read it'
          : String(cause);
    throw new TlsProblem(`${setting} names ${path}, but ${reason}.`, { cause });
  }
}

function parseCertificate(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new TlsProblem(`${path} (PARLEY_TLS_CERT) holds no certificate in PEM form.`, { cause });
  }
}

function parseKey(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    const encrypted = pem.includes('ENCRYPTED');
    throw new TlsProblem(
      encrypted
        ? `The key in ${path} (PARLEY_TLS_KEY) is protected by a passphrase. Use a copy without one (openssl pkey -in ... -out ...).`
        : `${path} (PARLEY_TLS_KEY) holds no private key in PEM form.`,
      { cause },
    );
  }
}

/**
 * Finds out whether the certificate is from the future. It is not replaced: if the clock is wrong now, clients would lose
 * the authority that they trust.
 */
function findClockDoubts(
  { cert, authorityPath }: MadeCertificate,
  { now = new Date() }: TlsOptions,
): string[] {
  const { validFrom } = new X509Certificate(cert);
  if (Date.parse(validFrom) <= now.getTime()) return [];
  return [
    `The certificate in ${dirname(authorityPath)} is not valid before ${validFrom}, and clients refuse it. If the clock of this machine is right, it was ahead when the certificate was created: move that folder away and restart.`,
  ];
}

function findDoubts(
  certificate: X509Certificate,
  { names, now = new Date() }: TlsOptions,
): string[] {
  const found: string[] = [];
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  const left = to - now.getTime();
  if (left < 0) {
    found.push(`the certificate expired on ${certificate.validTo}; clients will refuse it.`);
  } else if (left < Math.min(renewedBeforeMs, (to - from) / 5)) {
    found.push(`the certificate ends on ${certificate.validTo}; renew it.`);
  }
  if (from > now.getTime()) {
    found.push(`the certificate is not valid before ${certificate.validFrom}.`);
  }
  for (const name of names) {
    const covered = isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name);
    if (!covered) found.push(`the certificate is not for ${name}.`);
  }
  return found;
}
