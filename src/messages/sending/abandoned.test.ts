import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { testApp } from '../../../test/program/app.ts';
import { startWorkers } from '../../workers.ts';

const app = testApp({ PARLEY_NETWORK_TIMEOUT_MS: '60000' });

test('a send becomes unknown once no send can take that long, and no earlier', async () => {
  const shop = await app.tenant();
  // The longest send waits 5 s for the rate limit, is refused just before the timeout, waits 2 s more, and is
  // retried for another timeout.
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
