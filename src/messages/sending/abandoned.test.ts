import { expect, test } from 'vitest';
import { eventually, testApp } from '../../../test/app.ts';
import { startWorkers } from '../../workers.ts';

const app = testApp({ PARLEY_NETWORK_TIMEOUT_MS: '60000' });

test('a send is given up when none can take so long, and no earlier', async () => {
  const shop = await app.tenant();
  // It may wait 5 s for its turn, and be refused at the end of one time-out, which costs 2 s more
  // and another time-out.
  for (const seconds of [5 + 60 + 2 + 60, 600]) {
    await app.db.pool.query(
      `insert into messages (tenant_id, number_id, direction, phone, kind, content, status, created_at)
       values ($1, $2, 'out', '+14155550123', 'text', '{"text":"Hello"}', 'accepting',
               now() - $3 * interval '1 s')`,
      [shop.id, shop.number.id, seconds],
    );
  }
  const statuses = async () => {
    const { rows } = await app.db.pool.query(
      'select status from messages where tenant_id = $1 order by created_at desc',
      [shop.id],
    );
    return rows.map(({ status }) => status);
  };
  const stop = startWorkers(app.services);
  await eventually(async () => (await statuses()).includes('unknown')).finally(stop);
  expect(await statuses()).toEqual(['accepting', 'unknown']);
});
