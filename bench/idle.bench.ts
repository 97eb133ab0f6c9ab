import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, type Server, startServer } from './processes.ts';
import { seedIdleTenants } from './seed-idle-tenants.ts';

/**
 * Measures the CPU of an idle process, and of its PostgreSQL, beside many tenants that do nothing. The aim is
 * under 2 % of a core for both together.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    tenants: { type: 'string', default: '100000' },
    /** After the start, for what each job does first. */
    settle: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '60' },
  },
});
const { dataDir, environment, services, close } = await openPlace();
const stub = await startServer('bench/network-stub.ts', {});
try {
  const startedAt = performance.now();
  await seedIdleTenants(services, Number(values.tenants));
  console.log(
    `${values.tenants} tenants in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
  const parley = await startServer('bench/parley.ts', {
    ...environment,
    PARLEY_PORT: '0',
    PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
  });
  try {
    console.log(shown('start', await measure(parley, Number(values.settle))));
    console.log(shown('idle', await measure(parley, Number(values.seconds))));
  } finally {
    await parley.stop();
  }
} finally {
  await stub.stop();
  await close();
}

async function measure(
  parley: Server,
  seconds: number,
): Promise<{ parley: number; postgres: number }> {
  const now = async () => [await cpuMs(parley.child.pid!), await databaseCpuMs(dataDir)] as const;
  const [parleyBefore, postgresBefore] = await now();
  await sleep(seconds * 1_000);
  const [parleyAfter, postgresAfter] = await now();
  const percent = (ms: number) => ms / seconds / 10;
  return {
    parley: percent(parleyAfter - parleyBefore),
    postgres: percent(postgresAfter - postgresBefore),
  };
}

function shown(phase: string, used: { parley: number; postgres: number }): string {
  const percent = (share: number) => `${share.toFixed(2)} %`;
  return `${phase.padEnd(8)}  Parley ${percent(used.parley)}  PostgreSQL ${percent(used.postgres)} of a core`;
}
