import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { testApp } from '../../../test/program/app.ts';
import { startReceiver } from '../../../test/servers/receiver.ts';
import { upsertContact } from '../../contacts/writing/upsert-contact.ts';
import type { Db } from '../../platform/database/database.ts';
import { startDelivering } from '../delivering/start-delivering.ts';
import { defaultEndpointOf } from '../endpoint-key.ts';
import { redeliver } from '../log/redeliver.ts';
import { recordEvents } from '../record-events.ts';
import { setWebhook } from '../set-webhook.ts';

const app = testApp({ PARLEY_WEBHOOK_SCHEDULE: '0,0.1,0.1' });
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  stop = startDelivering(app.services);
});
beforeEach(() => {
  receiver.answer = (_received, response) => response.writeHead(204).end();
});
afterAll(async () => {
  await stop();
  await receiver.close();
});

const [ada, grace] = ['+14155550101', '+14155550102'];

async function orderedShop() {
  const { id, slug, call } = await app.tenant({ number: false });
  const set = (ordered: boolean) =>
    setWebhook(app.services, id, { url: `${receiver.url}/${slug}`, ordered });
  await set(true);
  return {
    id,
    call,
    set,
    endpoint: defaultEndpointOf(id),
    record: (phone: string, ...numbers: number[]) =>
      recordEvents(
        app.db,
        id,
        numbers.map((each) => ({ type: 'contact.updated', data: { id: each, phone } })),
      ),
    /** The numbers of the events of a person, as they arrived. */
    arrived: (phone: string) =>
      receiver.received
        .filter(({ path, body }) => path === `/${slug}` && body.data.phone === phone)
        .map(({ body }) => body.data.id),
    states: async () => {
      const { rows } = await app.db.query<{ state: string; count: number }>(sql`
        select state, count(*)::int from deliveries where tenant_id = ${id} group by state`);
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
  };
}

test('behind an event that always fails, the next ones of the person wait until it is given up, and others do not', async () => {
  const shop = await orderedShop();
  receiver.answer = ({ body }, response) =>
    response.writeHead(body.data.id === 1 ? 500 : 204).end();
  await shop.record(ada!, 1, 2);
  await shop.record(grace!, 11, 12, 13);
  await shop.record(ada!, 3);
  await eventually(async () => shop.arrived(ada!).length === 5);
  expect(shop.arrived(ada!)).toEqual([1, 1, 1, 2, 3]);
  expect(shop.arrived(grace!)).toEqual([11, 12, 13]);
  await eventually(async () => (await shop.states()).delivered === 5);
  expect(await shop.states()).toEqual({ failed: 1, delivered: 5 });

  // All of a person are sent again in their order.
  receiver.answer = (_received, response) => response.writeHead(204).end();
  expect(await redeliver(app.services, shop.endpoint, { since: new Date(0) })).toBe(6);
  await eventually(async () => shop.arrived(ada!).length === 8);
  expect(shop.arrived(ada!).slice(5)).toEqual([1, 2, 3]);
});

test('after an outage, deliveries that failed or wait for a later attempt are made at once, in the order of each person', async () => {
  const shop = await orderedShop();
  const insert = (phone: string, number: number, state: string, dueAt: string) =>
    app.db.query(sql`
      insert into deliveries (tenant_id, event, body, person, in_order, state, tries, due_at)
      select ${shop.id}, 'contact.updated',
             json_build_object('event', 'contact.updated', 'data', json_build_object('id', ${number}::int, 'phone', ${phone}::text)),
             ${phone}, true, ${state}::delivery_state, 2, ${dueAt}`);
  const inTenHours = new Date(Date.now() + 10 * 3_600_000).toISOString();
  await insert(ada!, 1, 'failed', 'now');
  await insert(ada!, 2, 'waiting', inTenHours);
  await insert(ada!, 3, 'waiting', 'infinity');
  await insert(grace!, 11, 'waiting', inTenHours);
  await insert(grace!, 12, 'waiting', 'infinity');

  await app.db.query(sql`insert into delivery_usage (tenant_id, waiting) values (${shop.id}, 4)`);
  const waiting = { waiting: true, since: new Date(0) };
  expect(await redeliver(app.services, shop.endpoint, { ...waiting, until: new Date(0) })).toBe(0);
  expect(await redeliver(app.services, shop.endpoint, { ...waiting, failed: true })).toBe(3);
  await eventually(async () => (await shop.states()).delivered === 5);
  expect(shop.arrived(ada!)).toEqual([1, 2, 3]);
  expect(shop.arrived(grace!)).toEqual([11, 12]);
  const { rows } = await app.db.query(sql`
    select waiting from delivery_usage where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ waiting: 5 }]);
});

test('many events of many people arrive in the order of each, while they are recorded', async () => {
  const shop = await orderedShop();
  const people = Array.from({ length: 5 }, (_, index) => `+1415555020${index}`);
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  for (const each of numbers) await Promise.all(people.map((phone) => shop.record(phone, each)));
  for (const phone of people) {
    await eventually(async () => shop.arrived(phone).length === numbers.length);
    expect(shop.arrived(phone)).toEqual(numbers);
  }
});

test('changes of a contact that waited for each other arrive in their order', async () => {
  const shop = await orderedShop();
  receiver.answer = ({ body }, response) =>
    response.writeHead(body.data.id === 0 ? 500 : 204).end();
  const { data: contact } = (await shop.call('POST', '/contacts', { firstname: 'Ada', phone: ada }))
    .body;
  await eventually(async () => shop.arrived(ada!).length === 1);
  const open = await holdLocks(app, 'select from contacts where id = $1 for update', [contact.id]);
  await recordEvents(open as unknown as Db, shop.id, [
    { type: 'contact.updated', data: { id: 0, phone: ada } },
  ]);
  // Its statement does not see the delivery before it.
  const second = upsertContact(app.db, shop.id, { phone: ada!, city: 'Centro' });
  await lockWaiters(app, { like: '%contacts%' });
  await open.query('commit');
  expect(await second).toMatchObject({ outcome: 'updated' });
  await eventually(async () => shop.arrived(ada!).length === 5);
  expect(shop.arrived(ada!)).toEqual([contact.id, 0, 0, 0, contact.id]);
});

test('a delivery that was left behind by a process that died is made', async () => {
  const shop = await orderedShop();
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, person, in_order, due_at)
    select ${shop.id}, 'contact.updated',
           json_build_object('event', 'contact.updated', 'data', json_build_object('id', n, 'phone', ${ada}::text)),
           ${ada}, true, 'infinity'
    from generate_series(1, 3) as n`);
  await eventually(async () => shop.arrived(ada!).length === 3);
  expect(shop.arrived(ada!)).toEqual([1, 2, 3]);
});

test('an endpoint that is not ordered any more sends at once what waited', async () => {
  const shop = await orderedShop();
  const hanging: (() => void)[] = [];
  receiver.answer = ({ body }, response) => {
    const answer = () => response.writeHead(204).end();
    if (body.data.id === 1) hanging.push(answer);
    else answer();
  };
  await shop.record(ada!, 1, 2, 3);
  await eventually(async () => hanging.length === 1);
  expect(shop.arrived(ada!)).toEqual([1]);
  await shop.set(false);
  await eventually(async () => shop.arrived(ada!).length === 3);
  hanging[0]!();
  await eventually(async () => (await shop.states()).delivered === 3);
});

test('the order of an endpoint ends also if that deadlocks with the record of attempts', async () => {
  const shop = await orderedShop();
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into deliveries (tenant_id, event, body, person, in_order, due_at)
    select ${shop.id}, 'contact.updated', '{}', ${ada}, true, now() + interval '1 hour'
    from generate_series(1, 2) as n returning id`);
  const lock = 'select from deliveries where tenant_id = $1 and id = $2 for update';
  const [first, second] = rows.map(({ id }) => [shop.id, id]);
  const open = await holdLocks(app, lock, second);
  const changed = shop.set(false);
  await lockWaiters(app, { like: '%deliveries%' });
  // PostgreSQL cancels one of the two.
  await open.query(lock, first).catch(() => {});
  await open.query('rollback');
  expect((await changed).webhook.ordered).toBe(false);
});
