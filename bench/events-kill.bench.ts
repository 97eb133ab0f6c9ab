import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectNumber } from '../src/numbers/connecting/connect-number.ts';
import { killWithEvents } from '../test/stories/kill-with-events.ts';
import { openPlace } from './open-place.ts';
import { startServer } from './processes.ts';
import { seedTenant } from './seed-tenant.ts';

/**
 * Kills the service a hundred times while messages are sent, reported and received, every other time together with
 * its durable database, and compares every state of a message with the events.
 *
 *     npm run bench -- events-kill [kills]
 */
const kills = Number(process.argv[3] ?? 100);
const appSecret = 'bench-secret';
const phoneNumberId = '1';

const stub = await startServer('bench/network-stub.ts', {});
const { dataDir, environment, services, close } = await openPlace({
  PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
  PARLEY_MESSAGES_PER_SECOND: '0',
});
try {
  const { id, slug, tokens } = await seedTenant(services, 'killed', 50, { events: true });
  const number = await connectNumber(services, id, {
    phoneNumberId,
    businessAccountId: '1',
    accessToken: 'token',
    appSecret,
  });
  const startedAt = performance.now();
  const tenant = { id, slug, tokens, phoneNumberId, callbackId: number.callback_id, appSecret };
  const { acknowledged, events, faults } = await killWithEvents(
    services,
    environment,
    tenant,
    kills,
    async (round) => {
      if (round % 2 === 1) await killDatabase();
    },
  );
  console.log(
    `${kills} kills in ${Math.round((performance.now() - startedAt) / 1000)} s: ` +
      `${acknowledged.size} acknowledged states, ${events} events, ${faults.length} faults`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await close();
  await stub.stop();
}

async function killDatabase(): Promise<void> {
  const lock = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  process.kill(Number(lock.split('\n')[0]), 'SIGKILL');
}
