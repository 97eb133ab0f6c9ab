import { readFile } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { planOf } from '../../../test/database/plan-of.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import {
  eventsOf,
  fixture,
  post,
  processPosts,
  secret,
  sendWoo,
  settled,
  shopWithTemplate,
  testStore,
  wooHeaders,
} from '../../../test/features/stores.ts';
import { call, testApp } from '../../../test/program/app.ts';
import { misbehave } from '../../../test/servers/control.ts';
import { onThePhone } from '../../../test/servers/phone.ts';
import { automatedSenderOf } from '../../messages/sending/automated/automated-sender-of.ts';
import type { AutomatedSender } from '../../messages/sending/automated/send-automated.ts';
import { findStoreEvent, type StoreEventRow } from '../activity/event-queries.ts';
import { countsOverTime, storeActivity } from '../activity/metric-queries.ts';
import { mapTopic } from '../map-topic.ts';
import { type PlatformName, platformNames } from '../platforms/platforms.ts';
import type { StoreRow } from '../queries.ts';
import { type FieldSource, topics } from '../schema.ts';
import type { NewStore } from '../setup/create-store.ts';
import { previewSample, previewStoredEvent } from './preview-event.ts';
import { replayEvent, replayFailedEvents } from './replay-event.ts';
import { sendSample } from './send-sample.ts';

// A retry comes so late that a test is always before it.
const app = testApp({ PARLEY_STORE_SCHEDULE: '600' });
const order = fixture('woocommerce-order.json');
let sender: AutomatedSender;
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  sender = automatedSenderOf(app.services);
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

const fields: FieldSource[] = [
  { path: 'billing.first_name' },
  { path: 'total', format: 'money' },
  { path: 'none', default: 'soon' },
];
const header = { type: 'header', name: 'X-Shop-Key', value: 'open sesame' } as const;

describe.each<[PlatformName, Partial<NewStore>]>([
  ...platformNames.map((name): [PlatformName, Partial<NewStore>] => [name, { secret }]),
  ['custom', { secret, authentication: header }],
  ['custom', { secret: null, authentication: header }],
  ['woocommerce', { secret: 'R&amp;D <3 "tea"' }],
])('a sample of a store of %s', (platform, keys) => {
  test.each(topics)('of %s is received and processed like a real post', async (topic) => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform, ...keys });
    expect(await sample(store, topic)).toBe(200);
    const event = await settledEvent(store);
    const hasBuyer = ['order.created', 'order.updated', 'customer.created'].includes(topic);
    expect(event).toMatchObject({ topic, state: hasBuyer ? 'done' : 'nothing_to_do' });
  });
});

test('a sample of a custom store has the shape that the guide shows', async () => {
  const store = await testStore(app, await app.tenant(), { platform: 'custom', country: 'PK' });
  await sample(store, 'order.created', '0300 1234567');
  const { id } = await settledEvent(store);
  const { body } = (await findStoreEvent(app.db, store.tenant_id, store.id, id))!;
  const guide = await readFile(new URL('../../../docs/stores.md', import.meta.url), 'utf8');
  const shown = JSON.parse(/```json\n(.+?)```/s.exec(guide)![1]!);
  const sent = JSON.parse(body.toString());
  expect(Object.keys(sent)).toEqual(Object.keys(shown));
  expect(sent.customer).toMatchObject({ phone: '0300 1234567', country: 'PK' });
  expect(Object.keys(sent.customer)).toEqual(expect.arrayContaining(Object.keys(shown.customer)));
});

test('all samples are different, and the buyer’s phone can be given', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop, { country: 'DE' });
  await sample(store, 'order.created');
  await sample(store, 'order.created');
  await sample(store, 'order.created', '0221 4771234');
  await eventually(async () => (await eventsOf(app, store)).every((each) => each.state === 'done'));
  expect(await eventsOf(app, store)).toHaveLength(3);
  const phones = (await shop.call('GET', '/contacts')).body.data.map(
    (each: { phone: string }) => each.phone,
  );
  expect(phones.sort()).toEqual(['+14155550132', '+492214771234']);
});

test('a sample does not change an existing contact of its phone', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550144' });
  const before = (await shop.call('GET', '/contacts')).body.data;
  await sample(store, 'order.created', '+14155550144');
  const [{ id } = { id: 0 }] = await eventsOf(app, store);
  expect((await previewStoredEvent(services(), store, id)).preview.contact).toMatchObject({
    firstname: 'Ada',
    outcome: 'unchanged',
    changes: [],
  });
  expect(await settledEvent(store)).toMatchObject({ state: 'done', contact_id: before[0].id });
  expect((await shop.call('GET', '/contacts')).body.data).toEqual(before);
});

test('a sample does not count as activity of the store', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  await sample(store, 'order.created');
  const [before] = await storeActivity(app.db, shop.id);
  expect(before).toMatchObject({ verified: 1, last_seen_at: null });
  await post(app, store, order, wooHeaders('order.created', order));
  const [after] = await storeActivity(app.db, shop.id);
  expect(after).toMatchObject({ verified: 2, last_seen_at: expect.any(Date) });
});

describe('a preview', () => {
  test('shows the resulting contact and message, and changes nothing', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { fields });
    const { preview } = await previewSample(services(), store, 'order.created');
    expect(preview).toMatchObject({
      state: 'to_do',
      buyer: { first_name: 'Sample', last_name: 'Buyer', phone: '+14155550132' },
      contact: { phone: '+14155550132', firstname: 'Sample', mode: 'upsert', outcome: 'created' },
      message: {
        phone: '+14155550132',
        template: 'order_update',
        fields: ['Sample', '$29.90', 'soon'],
        shown: {
          body: 'Hello Sample, your order $29.90 has left our warehouse and should reach you on soon.',
        },
        problem: null,
      },
    });
    expect((await shop.call('GET', '/contacts')).body.data).toEqual([]);
    expect(await onThePhone(app, shop)).toEqual([]);
  });

  test('shows the contact even if the message lacks a field, and the missing field', async () => {
    const { store } = await shopWithTemplate(app, 'order.created', {
      fields: [{ path: 'billing.nickname' }],
    });
    expect((await previewSample(services(), store, 'order.created')).preview).toMatchObject({
      state: 'to_do',
      contact: { phone: '+14155550132' },
      message: { shown: null, problem: expect.stringMatching(/billing\.nickname/) },
    });
  });

  test.each<[string, 'upsert' | 'fill' | 'automatic', object, object]>([
    ['an update', 'upsert', { email: 'boss@example.com' }, { outcome: 'updated' }],
    ['a fill', 'fill', { email: 'boss@example.com' }, { outcome: 'updated' }],
    ['a guest by default', 'automatic', { email: 'boss@example.com' }, { mode: 'fill' }],
    [
      'a fill of nothing',
      'fill',
      { lastname: 'A', email: 'b@example.com', city: 'C' },
      { outcome: 'unchanged' },
    ],
    ['a single name', 'upsert', { lastname: 'Groß', city: 'Köln' }, { outcome: 'updated' }],
  ])('of an existing contact shows what really happens: %s', async (_, mode, fields, expected) => {
    const shop = await app.tenant({ number: false });
    const store = await testStore(app, shop);
    await stopProcessing();
    await post(app, store, order, wooHeaders('order.created', order));
    const [event] = await eventsOf(app, store);
    const phone = '+492214771234';
    const known = { firstname: 'Boss', phone, ...fields };
    const before = (await shop.call('POST', '/contacts', known)).body.data;
    const group = (await shop.call('POST', '/groups', { name: 'Buyers' })).body.data.id;
    const action = { contact: { mode, group_ids: mode === 'upsert' ? [group] : [] } };
    await mapTopic(app.db, shop.id, store.id, 'order.created', action);
    const { contact } = (await previewStoredEvent(services(), store, event!.id)).preview;
    expect(contact).toMatchObject(expected);

    stopProcessing = processPosts(app);
    await settledEvent(store);
    const after = (await shop.call('GET', `/contacts/${before.id}`)).body.data;
    const { mode: _mode, outcome: _outcome, changes: _changes, ...shown } = contact!;
    expect(after).toMatchObject(shown);
    const changed = Object.keys(after).filter(
      (name) => name !== 'updated_at' && String(after[name]) !== String(before[name]),
    );
    expect(contact!.changes).toEqual(changed);
    expect(contact!.outcome).toBe(changed.length > 0 ? 'updated' : 'unchanged');
  });

  test('of a draft whose fields have no path yet has that reason', async () => {
    const { store } = await shopWithTemplate(app, 'order.created');
    const draft = {
      contact: { mode: 'upsert' as const },
      template: {
        name: 'order_update',
        language: 'en',
        fields: [{ path: 'billing.nickname' }, { path: '' }, { path: '' }],
      },
    };
    expect((await previewSample(services(), store, 'order.created', draft)).preview).toMatchObject({
      message: { shown: null, problem: 'Some fields have no path yet.' },
    });
  });

  test('of a stored event shows what prevents it', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { name: 'no_such' });
    await post(app, store, order, wooHeaders('order.created', order));
    await post(app, store, '{}', wooHeaders('order.created', '{}'));
    const [empty, whole] = await eventsOf(app, store);
    expect((await previewStoredEvent(services(), store, whole!.id)).preview).toMatchObject({
      state: 'to_do',
      message: { shown: null, problem: expect.stringMatching(/no_such/) },
    });
    expect((await previewStoredEvent(services(), store, empty!.id)).preview).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/does not match the topic order\.created/),
      contact: null,
      message: null,
    });
    const other = await testStore(app, shop);
    await expect(previewStoredEvent(services(), other, whole!.id)).rejects.toThrow('Not found');
  });
});

describe('a replay', () => {
  test('carries out the current action of the topic', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { fields });
    await mapTopic(app.db, shop.id, store.id, 'order.created', { contact: { mode: 'none' } });
    await post(app, store, order, wooHeaders('order.created', order));
    const first = await settledEvent(store);
    expect(first.state).toBe('nothing_to_do');

    await mapTopic(app.db, shop.id, store.id, 'order.created', { contact: { mode: 'upsert' } });
    const id = await replayEvent(app.services, shop.id, store.id, first.id);
    const again = await eventually(async () =>
      (await eventsOf(app, store)).find((each) => each.id === id && each.state !== 'waiting'),
    );
    expect(again).toMatchObject({ state: 'done', replay_of: first.id });
    expect((await shop.call('GET', '/contacts')).body.data).toHaveLength(1);
  });

  test('sends the message again', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { fields });
    await post(app, store, order, wooHeaders('order.created', order));
    const first = await settledEvent(store);
    await replayEvent(app.services, shop.id, store.id, first.id);
    await eventually(async () => (await onThePhone(app, shop)).length === 2);
  });

  test('of an event without a message sends nothing that another post has caused since', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { name: 'no_such' });
    const failed = await sendWoo(app, store, 'order.created', order);
    expect(failed.state).toBe('failed');
    const template = { name: 'order_update', language: 'en', fields };
    const contact = { mode: 'none' as const };
    await mapTopic(app.db, shop.id, store.id, 'order.created', { contact, template });
    const replayOf = async ({ id }: StoreEventRow) => {
      const replay = await replayEvent(app.services, shop.id, store.id, id);
      return eventually(async () =>
        (await eventsOf(app, store)).find((each) => each.id === replay && settled(each)),
      );
    };
    const sent = await replayOf(failed);
    expect(sent).toMatchObject({ state: 'done', message_id: expect.any(String) });
    expect(await replayOf(failed)).toMatchObject({
      state: 'done',
      reason: expect.stringMatching(/earlier post/),
    });
    expect(await onThePhone(app, shop)).toHaveLength(1);
    await replayOf(sent);
    expect(await onThePhone(app, shop)).toHaveLength(2);
  });

  test('of an event with a retry is that retry, so its message is sent once', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await misbehave(app, shop, { failWith: 131016, count: 1 });
    await post(app, store, order, wooHeaders('order.created', order));
    const failed = await settledEvent(store);
    expect(failed).toMatchObject({ state: 'failed', attempts: 1, due_at: expect.any(Date) });
    const member = await signIn(app, shop);
    const replayed = await member.call('POST', `/stores/${store.id}/events/${failed.id}/replay`);
    expect(replayed.body.data).toEqual({ id: failed.id });
    const done = await eventually(async () =>
      (await eventsOf(app, store)).find((each) => each.state === 'done'),
    );
    expect(done).toMatchObject({ id: failed.id, attempts: 2, due_at: null });
    expect(await eventsOf(app, store)).toHaveLength(1);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('is refused while many replays of the tenant’s stores wait', async () => {
    const shop = await app.tenant();
    const [store, other] = [await testStore(app, shop), await testStore(app, shop)];
    await post(app, store, order, wooHeaders('order.created', order));
    const { id } = await settledEvent(store);
    await app.db.query(sql`
      insert into store_events (tenant_id, store_id, dedup_key, headers, body, replay_of, state, due_at)
      select ${shop.id}, ${other.id}, int4send(n), '{}', '', ${id}, 'failed', now() + interval '1 h'
      from generate_series(1, 100) as n`);
    const member = await signIn(app, shop);
    const replay = (of: number) => member.call('POST', `/stores/${store.id}/events/${of}/replay`);
    const refused = await replay(id);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(refused.body.message).toBe('100 replays wait already. Try again when they are done.');
    // An event with a retry does not count against the limit.
    const [waiting] = await eventsOf(app, other);
    expect(await replayEvent(app.services, shop.id, other.id, waiting!.id)).toBe(waiting!.id);

    await eventually(async () => (await eventsOf(app, other)).some((each) => each.due_at === null));
    expect((await replay(id)).status).toBe(200);
  });

  test('of all failed events takes each once, leaves out what may have been sent, and repeats no message', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { name: 'no_such' });
    const orderOf = (id: number) => order.toString().replace('2147483999', String(id));
    // The shop posts the first order twice.
    for (const id of [1, 1, 2]) await sendWoo(app, store, 'order.created', orderOf(id));
    const contact = { mode: 'none' as const };
    const template = { name: 'order_update', language: 'en', fields };
    await mapTopic(app.db, shop.id, store.id, 'order.created', { contact, template });
    await misbehave(app, shop, { answer: 'drop-after-accept', callbacks: false, count: 1 });
    const lost = await sendWoo(app, store, 'order.created', orderOf(3));
    expect(lost).toMatchObject({ state: 'failed', reason: expect.stringMatching(/may have been/) });

    const member = await signIn(app, shop);
    const { body } = await member.call('GET', `/stores/${store.id}/events`);
    expect(body.data.events.map((event: { sends_again: boolean }) => event.sends_again)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const replayFailed = async () =>
      (await member.call('POST', `/stores/${store.id}/events/replay-failed`)).body.data;
    expect(await replayFailed()).toEqual({ replayed: 3, more: false });
    expect(await replayFailed()).toEqual({ replayed: 0, more: false });
    const replays = await eventually(async () => {
      const found = (await eventsOf(app, store)).filter((each) => each.replay_of !== null);
      return found.every(settled) && found;
    });
    expect(replays.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(await onThePhone(app, shop)).toHaveLength(3);
  });

  test('of all failed events copies at most a hundred at once, and then waits until they are done', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop);
    await app.db.query(sql`
      insert into store_events (tenant_id, store_id, dedup_key, headers, body, state, due_at)
      select ${shop.id}, ${store.id}, int4send(n), '{}', '', 'failed', null
      from generate_series(1, 120) as n`);
    const other = await app.tenant();
    await expect(replayFailedEvents(app.services, other.id, store.id)).resolves.toEqual({
      replayed: 0,
      more: false,
    });
    await stopProcessing();
    const replayFailed = () => replayFailedEvents(app.services, shop.id, store.id);
    expect(await replayFailed()).toEqual({ replayed: 100, more: true });
    await expect(replayFailed()).rejects.toThrow('100 replays wait already');
    await app.db.query(sql`
      update store_events set due_at = null, state = 'skipped'
      where tenant_id = ${shop.id} and replay_of is not null`);
    stopProcessing = processPosts(app);
    expect(await replayFailed()).toEqual({ replayed: 20, more: false });
  });

  test('of another tenant’s event is not found', async () => {
    const store = await testStore(app, await app.tenant());
    const other = await app.tenant();
    await post(app, store, order, wooHeaders('order.created', order));
    const { id } = await settledEvent(store);
    await expect(replayEvent(app.services, other.id, store.id, id)).rejects.toThrow('Not found');
  });
});

describe('the activity of a store', () => {
  test('is read without that of other stores', async () => {
    const shop = await app.tenant({ number: false });
    const plan = await planOf(app, (db) => storeActivity(db, shop.id));
    expect(plan).toContain('store_hours_pkey');
    expect(plan).not.toContain('CTE Scan on recent');
  });

  test('counts the received and refused posts, and their outcomes', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop);
    const headers = wooHeaders('order.created', order);
    await post(app, store, order, headers);
    await post(app, store, order, headers);
    await post(app, store, '{}', wooHeaders('order.created', '{}'));
    await post(app, store, order, wooHeaders('order.created', order, 'another secret'));
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await post(app, store, 'webhook_id=3', form);
    const activity = await eventually(async () => {
      const [row] = await storeActivity(app.db, shop.id);
      return row!.done + row!.skipped === 2 && row!.pings === 1 && row;
    });
    expect(activity).toMatchObject({
      received: 4,
      verified: 3,
      refused: 1,
      repeated: 1,
      pings: 1,
      done: 1,
      skipped: 1,
      failed: 0,
      messages_sent: 0,
      last_seen_at: expect.any(Date),
      last_refusal: 'the signature is wrong',
      quiet_since: null,
    });
    await post(app, store, 'webhook_id=3', form);
    const pinged = await eventually(async () => {
      const [row] = await storeActivity(app.db, shop.id);
      return row!.pings === 2 && row;
    });
    expect(pinged.last_refusal).toBe('the signature is wrong');
    const since = new Date(Date.now() - 7_200_000);
    const hours = await countsOverTime(app.db, shop.id, store.id, { by: 'hour', since });
    expect(hours.reduce((sum, hour) => sum + hour.verified, 0)).toBe(3);
    const days = await countsOverTime(app.db, shop.id, store.id, { by: 'day', since });
    expect(days[0]!.at.toISOString()).toMatch(/T00:00:00.000Z$/);
  });

  test.each<[string, number[], number, boolean]>([
    [
      'that posts every hour and is silent for four',
      hoursAgo(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
      4,
      true,
    ],
    [
      'that posts every hour and is silent for two',
      hoursAgo(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
      2,
      false,
    ],
    ['that rests at night and is silent for a night', workdays(14), 14, false],
    ['that rests at night and is silent for a day and a half', workdays(36), 36, true],
    [
      'that had one long outage and is silent for two days',
      [...workdays(48), ...workdays(480)],
      48,
      true,
    ],
    ['that posted once a day and is silent for three weeks', daily(21), 21 * 24, true],
    ['that posted once a day and is silent for three months', daily(90), 90 * 24, true],
    ['that has posted only twice', hoursAgo(100, 101), 100, false],
    ['that has posted in nine hours so far', hoursAgo(9, 10, 11, 12, 13, 14, 15, 16, 17), 9, false],
  ])('%s', async (_name, hours, silentHours, quiet) => {
    const shop = await app.tenant();
    const store = await testStore(app, shop);
    await app.db.pool.query(
      `insert into store_hours (tenant_id, store_id, hour, verified, last_seen_at)
       select distinct on (1, 2, 3) $1::bigint, $2::bigint,
              date_trunc('hour', now() - ago * interval '1 hour'), 1,
              now() - ago * interval '1 hour'
       from unnest($3::int[]) as ago`,
      [shop.id, store.id, hours],
    );
    const [activity] = await storeActivity(app.db, shop.id);
    expect(activity!.quiet_since !== null).toBe(quiet);
    const ago = (Date.now() - activity!.last_seen_at!.getTime()) / 3_600_000;
    expect(Math.round(ago)).toBe(silentHours);
  });
});

function services() {
  return { ...app.services, sender };
}

function sample(store: StoreRow, topic: string, phone?: string) {
  return sendSample(app.services, store, { topic, phone }, async (path, { headers, body }) => {
    const response = await call(app, 'POST', path, body, headers as Record<string, string>);
    return response.status;
  });
}

async function settledEvent(store: StoreRow) {
  return eventually(async () => {
    const [event] = await eventsOf(app, store);
    return event?.state !== 'waiting' && event;
  });
}

function hoursAgo(...hours: number[]): number[] {
  return hours;
}

/** Returns one post a day for 58 days, the last one so many days ago. */
function daily(lastDaysAgo: number): number[] {
  return Array.from({ length: 58 }, (_each, day) => (lastDaysAgo + day) * 24);
}

/** Returns ten hours of posts a day for five days, the last one so many hours ago. */
function workdays(lastHoursAgo: number): number[] {
  return [0, 1, 2, 3, 4].flatMap((day) =>
    Array.from({ length: 10 }, (_each, hour) => lastHoursAgo + day * 24 + hour),
  );
}
