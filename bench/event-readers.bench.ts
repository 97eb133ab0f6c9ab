import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, startServer } from './processes.ts';
import { type SeededTenant, seedTenant } from './seed-tenant.ts';

/**
 * Measures what readers that wait for events cost: the CPU of the service and of PostgreSQL while they wait.
 *
 *     npm run bench -- event-readers [readers] [seconds] [tenants]
 */
const readers = Number(process.argv[3] ?? 1_000);
const seconds = Math.min(Number(process.argv[4] ?? 19), 19);
const tenantCount = Number(process.argv[5] ?? 10);

const { dataDir, environment, services, close } = await openPlace({
  PARLEY_MAX_CONNECTIONS_PER_ADDRESS: '5000',
});
const tenants: SeededTenant[] = [];
for (let index = 0; index < tenantCount; index++) {
  tenants.push(await seedTenant(services, `bench-${index}`, 10, { events: true }));
}
const parley = await startServer('bench/parley.ts', { ...environment, PARLEY_PORT: '0' });
const dispatcher = new Agent({
  connections: readers,
  pipelining: 1,
  connect: { rejectUnauthorized: false },
});
try {
  await pause(2_000);
  const idle = await spend();
  const waiting = Array.from({ length: readers }, (_, index) => read(index));
  // Connections and TLS handshakes are not what is measured.
  await pause(5_000);
  const busy = await spend();
  const statuses = await Promise.all(waiting);
  const others = statuses.filter((status) => status !== 200).length;
  const share = (ms: number) => `${((ms / (seconds * 1_000)) * 100).toFixed(1)} %`;
  console.log(
    `${readers} readers of ${tenantCount} tenants, ${others} of them refused\n` +
      `service     ${share(busy.service)} of a core, ${share(idle.service)} without readers\n` +
      `PostgreSQL  ${share(busy.database)} of a core, ${share(idle.database)} without readers\n` +
      'The goal is under 10 % of a core in all.',
  );
} finally {
  await dispatcher.destroy();
  await parley.stop();
  await close();
}

/** The CPU time of some seconds, which fit into one wait of 25. */
async function spend(): Promise<{ service: number; database: number }> {
  const service = await cpuMs(parley.child.pid!);
  const database = await databaseCpuMs(dataDir);
  await pause(seconds * 1_000);
  return {
    service: (await cpuMs(parley.child.pid!)) - service,
    database: (await databaseCpuMs(dataDir)) - database,
  };
}

async function read(index: number): Promise<number> {
  const { slug, tokens } = tenants[index % tenants.length]!;
  const url = `https://127.0.0.1:${parley.port}/api/${slug}/events?wait=25`;
  const authorization = `Bearer ${tokens[index % tokens.length]}`;
  const { statusCode, body } = await request(url, { dispatcher, headers: { authorization } });
  await body.dump();
  return statusCode;
}
