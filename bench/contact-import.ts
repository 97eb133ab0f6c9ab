import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../src/services.ts';
import { spawnParley } from '../test/program/bin-parley.ts';
import { median, putLoad, startServer } from './processes.ts';
import { seedContacts } from './seed-contacts.ts';

/**
 * Measures the 99th percentile of a tenant's calls with and without an import of a million contacts by
 * another tenant.
 */
export async function measureImport(
  services: Services,
  dataDir: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const neighbour = await seedContacts(services, 'neighbour', 10_000, 400);
  await seedContacts(services, 'importer', 0, 0);
  const file = join(dataDir, 'million.csv');
  await writeCsv(file, 1_000_000);
  const server = await startServer('bench/parley.ts', {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: '0',
    PARLEY_LOG_LEVEL: 'warn',
  });
  const calm: number[] = [];
  const beside: number[] = [];
  let first = 0;
  let firstSerial = 0;
  const load = async () => {
    const result = await putLoad({
      url: `https://127.0.0.1:${server.port}`,
      connections: 4,
      seconds,
      stretch: 20,
      first,
      firstSerial,
      requests: neighbour.tokens.flatMap((token) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const path = '/api/neighbour/contacts';
        const body = JSON.stringify({ firstname: 'Maria', phone: '+4916{serial}' });
        return [
          { method: 'POST' as const, path, headers, body },
          { method: 'GET' as const, path: `${path}?page=200`, headers },
          { method: 'GET' as const, path: `${path}?search=kowalski`, headers },
        ];
      }),
    });
    if (result.failures > 0) throw new Error(`${result.failures} calls failed`);
    first = result.next;
    firstSerial = result.nextSerial;
    return result.p99;
  };
  try {
    await load();
    for (let round = 0; round < rounds; round++) {
      calm.push(await load());
      const stop = startImport(dataDir, file);
      await sleep(3_000);
      beside.push(await load());
      await stop();
    }
  } finally {
    await server.stop();
  }
  const ratio = median(beside.map((p99, round) => p99 / calm[round]!));
  process.stdout.write(
    `\na neighbour's p99, ms   calm ${median(calm).toFixed(1)}   beside an import ${median(beside).toFixed(1)}` +
      `   ratio ${ratio.toFixed(2)} (at most 2)\n`,
  );
}

function startImport(dataDir: string, file: string): () => Promise<void> {
  const child = spawnParley(['contact', 'import', 'importer', file], {
    ...process.env,
    PARLEY_DATA_DIR: dataDir,
  });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.pipe(process.stderr);
  return async () => {
    if (child.exitCode !== null) throw new Error('the import ended early');
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

async function writeCsv(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('firstname,lastname,phone,email\n');
  for (let n = 0; n < rows; n++) {
    const serial = String(n).padStart(9, '0');
    const line = `Ana,Silva ${n},+4917${serial},ana.silva${n}@example.com\n`;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
