import { killUnderLoad } from '../test/stories/kill-under-load.ts';
import { openPlace } from './open-place.ts';

/**
 * Kills the service a hundred times under load, on a durable database, and compares every change with the
 * events that the receiver got.
 *
 *     npm run bench -- webhooks-kill [kills]
 */
const kills = Number(process.argv[3] ?? 100);
const { environment, services, close } = await openPlace({
  PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
  PARLEY_WEBHOOK_TIMEOUT_MS: '1000',
});
try {
  const startedAt = performance.now();
  const { changes, received, faults } = await killUnderLoad(services, environment, kills);
  const lost = [...changes].filter((change) => !received.has(change));
  const again = [...received.values()].filter((count) => count > 1).length;
  console.log(
    `${kills} kills in ${Math.round((performance.now() - startedAt) / 1000)} s: ${changes.size} changes, ` +
      `${lost.length} lost, ${again} received more than once, ${faults.length} other faults`,
  );
  for (const fault of [...lost, ...faults].slice(0, 20)) console.log(`  ${fault}`);
  if (lost.length + faults.length > 0) process.exitCode = 1;
} finally {
  await close();
}
