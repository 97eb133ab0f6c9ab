import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  eventsOf,
  fixture,
  processPosts,
  sendWoo,
  shopWithTemplate,
  testStore,
} from '../../../test/features/stores.ts';
import { testApp } from '../../../test/program/app.ts';
import { moveToFreshMinute } from '../../../test/program/clock.ts';
import { onThePhone } from '../../../test/servers/phone.ts';
import { countsOverTime } from './metric-queries.ts';
import { pruneOldStoreEvents } from './prune-events.ts';

const dayMs = 86_400_000;
const app = testApp();
const order = fixture('woocommerce-order.json').toString();
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

const fields = [{ path: 'id' }, { path: 'status' }, { path: 'currency' }];
/** The order, placed so many days before it is posted, with a new time of its last change. */
function placed(daysAgo: number, status = 'completed'): string {
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  const now = app.clock.now().getTime();
  return order
    .replaceAll('2026-11-02T09:15:00', at(now - daysAgo * dayMs))
    .replaceAll('2026-11-02T09:15:07', at(now))
    .replace('"processing"', `"${status}"`);
}

test('an order that Parley has known since its first days sends messages for a year, and no text twice in a row', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.updated', { fields });
  onTestFinished(() => app.setClock(0));
  await sendWoo(app, store, 'order.updated', placed(1, 'processing'));
  await app.moveClock(60 * dayMs);
  await pruneOldStoreEvents(app.services);
  expect(await eventsOf(app, store)).toEqual([]);
  const touched = await sendWoo(app, store, 'order.updated', placed(61, 'processing'));
  expect(touched.reason).toMatch(/earlier post/);
  expect(await onThePhone(app, shop)).toHaveLength(1);
  await sendWoo(app, store, 'order.updated', placed(61, 'completed'));
  expect(await onThePhone(app, shop)).toHaveLength(2);
});

test('old posts are deleted beside one that still waits and one from when the clock was ahead', async () => {
  const { id, tenant_id } = await testStore(app, await app.tenant());
  await app.db.pool.query(
    `insert into store_events (tenant_id, store_id, dedup_key, headers, body, state, received_at, due_at)
     select $1, $2, int4send(n), '{}', '', case when n = 3 then 'waiting' else 'done' end,
            now() + case when n = 1 then interval '1 year' else interval '-90 days' end,
            case when n = 3 then now() + interval '1 day' end
     from generate_series(1, 1200) as n`,
    [tenant_id, id],
  );
  await pruneOldStoreEvents(app.services);
  const { rows } = await app.db.pool.query('select state from store_events where store_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ state: 'waiting' }]);
});

test('posts and the states of buyers are deleted after their retention time, those of orders after 400 days', async () => {
  await moveToFreshMinute(app);
  const store = await testStore(app, await app.tenant());
  for (const id of [1, 2, 3]) {
    await sendWoo(app, store, 'order.created', order.replace('2147483999', String(id)));
  }
  const [third, second, first] = await eventsOf(app, store);
  await app.db.pool.query(
    `update store_events set received_at = now() - interval '31 days',
       due_at = case when id = $2 then now() + interval '1 day' end
     where store_id = $1 and id <= $2`,
    [store.id, second!.id],
  );
  await app.db.pool.query(
    `update store_resources
     set changed_at = now() - interval '1 day'
       * case when kind = 'buyer' then 31 when resource_id = 'shop.example 1' then 401 else 399 end
     where store_id = $1`,
    [store.id],
  );
  await app.db.pool.query(
    `insert into store_hours (tenant_id, store_id, hour, verified)
     select $1, $2, date_trunc('hour', now()) - days * interval '1 day', days
     from unnest('{399,401}'::int[]) as days`,
    [store.tenant_id, store.id],
  );
  await pruneOldStoreEvents(app.services);
  const { rows: known } = await app.db.pool.query(
    'select kind, resource_id as id from store_resources where store_id = $1 order by 2',
    [store.id],
  );
  expect(known).toEqual([
    { kind: 'order', id: 'shop.example 2' },
    { kind: 'order', id: 'shop.example 3' },
  ]);
  const since = new Date(0);
  const days = await countsOverTime(app.db, store.tenant_id, store.id, { by: 'day', since });
  expect(days.map(({ verified }) => verified)).toEqual([399, 3]);
  const left = (await eventsOf(app, store)).map((each) => each.id);
  expect(left).toEqual([third!.id, second!.id]);
  expect(left).not.toContain(first!.id);
});
