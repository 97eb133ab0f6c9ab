import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { testApp } from '../../../test/program/app.ts';
import { startWorkers } from '../../workers.ts';

const app = testApp({ PARLEY_NETWORK_TIMEOUT_MS: '60000' });

test('a send becomes unknown once no send can take that long, and no earlier', async () => {
  const shop = await app.tenant();
  const { rows } = await app.db.pool.query(
    `insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
     values ($1, $2, 'out', '+14155550123', 'text', '{"text":"Hello"}', 'accepting')
     returning id`,
    [shop.id, shop.number.id],
  );
  const [{ id }] = rows;
  const read = async (query: string) => (await app.db.pool.query(query)).rows[0];
  const isUnknown = async () =>
    (await read(`select status from stored_messages where id = ${id}`)).status === 'unknown';
  const work = () => startWorkers(app.services)();
  await eventually(async () => {
    await work();
    const walk = await read(`select noted_id from message_walks where name = 'abandoned'`);
    return walk.noted_id >= id;
  });
  // As if the clock was ahead when it was noted.
  await app.db.pool.query(
    `update message_walks set noted_at = now() + interval '1 year' where name = 'abandoned'`,
  );
  await work();
  // The longest send waits 5 s for the rate limit, is refused just before the timeout, waits 2 s more, and is
  // retried for another timeout.
  await app.moveClock((5 + 60 + 2 + 60) * 1_000);
  for (let time = 0; time < 3; time++) await work();
  expect(await isUnknown()).toBe(false);
  await app.moveClock(60_000);
  await eventually(async () => {
    await work();
    return isUnknown();
  });
});
