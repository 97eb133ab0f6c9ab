import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { statementOf } from '../../test/database/plan-of.ts';
import { signIn } from '../../test/features/sign-in.ts';
import {
  contactsOf,
  fixture,
  post,
  processPosts,
  sendCustom,
  sendWoo,
  shopWithTemplate,
  testStore,
  wooHeaders,
} from '../../test/features/stores.ts';
import { type TestResponse, testApp } from '../../test/program/app.ts';
import { misbehave } from '../../test/servers/control.ts';
import type { Db } from '../platform/database/database.ts';
import { listStoreEvents, type StoreEventState } from './activity/event-queries.ts';
import { pruneStoreHours, pruneStoreResources } from './activity/prune-queries.ts';
import { platformNames } from './platforms/platforms.ts';

const app = testApp();
const order = fixture('woocommerce-order.json');
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

test('a failed post has the time of its next attempt, and a settled one has none', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  const member = await signIn(app, shop);
  // Also the retries fail, so that the state stays.
  await misbehave(app, shop, { failWith: 131016, count: 100 });
  const { id } = await sendWoo(
    app,
    store,
    'order.created',
    order,
    (each) => each.attempts > 0 && each.state === 'failed',
  );
  const { body } = await member.call('GET', `/stores/${store.id}/events`);
  const [event] = body.data.events;
  expect(event).toMatchObject({ id, state: 'failed', next_try_at: expect.stringMatching(/Z$/) });
  expect(new Date(event.next_try_at).getTime()).toBeGreaterThan(
    new Date(event.received_at).getTime(),
  );
  await sendWoo(app, store, 'order.created', '{}');
  const after = await member.call('GET', `/stores/${store.id}/events`);
  expect(after.body.data.events[0]).toMatchObject({ state: 'skipped', next_try_at: null });
});

test.each<[string, string, object | undefined]>([
  ['GET', '/events?before=99999999999999999999', undefined],
  [
    'POST',
    '/preview',
    { topic: 'order.created', action: { contact: { mode: 'none' } }, event_id: 1e300 },
  ],
  ['PUT', '/topics/order.created', { contact: { mode: 'upsert', source_id: 1e300 } }],
  ['PUT', '/topics/order.created', { contact: { mode: 'upsert', group_ids: [1e20, -5] } }],
  ['PUT', '/topics/order.created', { contact: { mode: 'upsert', source_id: 987654 } }],
])('%s %s refuses an impossible id', async (method, path, body) => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  const member = await signIn(app, shop);
  const { status } = await member.call(method, `/stores/${store.id}${path}`, body);
  expect(status).toBe(422);
});

test('a store whose keys a lost master key sealed is shown, and gets new ones', async () => {
  const shop = await app.tenant({ number: false });
  const authentication = { type: 'header', name: 'X-Key', value: 'v4lue' } as const;
  const store = await testStore(app, shop, { authentication });
  const { id } = store;
  const other = await testStore(app, shop, { authentication });
  await app.db.query(sql`
    update stores set secret = sha256(secret), authentication = sha256(authentication)
    where tenant_id = ${shop.id} and id = ${id}`);
  const member = await signIn(app, shop);
  const shown = async () => {
    const { body } = await member.call('GET', '/stores');
    const { body: one } = await member.call('GET', `/stores/${id}`);
    return [...body.data, one.data.store].map((store) => [store.id, store.authentication]);
  };
  expect(await shown()).toEqual([
    [id, null],
    [other.id, 'header'],
    [id, null],
  ]);
  const lost = ['cannot be kept, because it cannot be decrypted'];
  for (const [keys, errors] of [
    [{ new_secret: true }, { authentication: lost }],
    [{ authentication }, { secret: lost }],
  ]) {
    const refused = await member.call('PUT', `/stores/${id}/keys`, keys);
    expect([refused.status, refused.body.errors]).toEqual([422, errors]);
  }
  const keys = { new_secret: true, authentication };
  const { status, body } = await member.call('PUT', `/stores/${id}/keys`, keys);
  expect(status).toBe(200);
  expect(await shown()).toEqual([
    [id, 'header'],
    [other.id, 'header'],
    [id, 'header'],
  ]);
  const headers = { ...wooHeaders('order.created', '{}', body.data.secret), 'x-key': 'v4lue' };
  expect((await post(app, store, '{}', headers)).status).toBe(200);
});

test('the name and the country of a store can be changed; a post without a usable phone is then replayed', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop, { platform: 'custom' });
  const member = await signIn(app, shop);
  const change = (changes: object) => member.call('PUT', `/stores/${store.id}`, changes);
  const shown = async () => (await member.call('GET', `/stores/${store.id}`)).body.data.store;
  const body = JSON.stringify({ id: 1, customer: { first_name: 'Ann', phone: '0221 4771234' } });
  const event = await sendCustom(app, store, 'order.created', body);
  expect(event).toMatchObject({
    state: 'skipped',
    reason: expect.stringMatching(/no country is known/),
  });

  expect((await change({ country: 'de' })).status).toBe(200);
  expect((await change({ name: ' Coffee shop ' })).status).toBe(200);
  expect(await shown()).toMatchObject({ name: 'Coffee shop', country: 'DE', number_id: null });
  await member.call('POST', `/stores/${store.id}/events/${event.id}/replay`);
  await eventually(async () => (await contactsOf(shop)).length === 1);
  expect(await contactsOf(shop)).toMatchObject([{ firstname: 'Ann', phone: '+492214771234' }]);

  for (const [changes, field] of [
    [{ name: ' ' }, 'name'],
    [{ name: 'Tea\nshop' }, 'name'],
    [{ country: 'UK' }, 'country'],
    [{ country: 'Germany' }, 'country'],
    [{ number_id: 987654 }, 'number_id'],
  ] as const) {
    const refused = await change({ name: 'Not saved', country: 'FR', ...changes });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
  }
  expect(await shown()).toMatchObject({ name: 'Coffee shop', country: 'DE' });
  await change({ country: null });
  expect(await shown()).toMatchObject({ country: null });
});

test('a change of the secret keeps the authentication, and the other way round', async () => {
  const shop = await app.tenant({ number: false });
  const header = { type: 'header', name: 'X-Key', value: 'v4lue' } as const;
  const store = await testStore(app, shop, { authentication: header });
  const member = await signIn(app, shop);
  const change = (keys: object) => member.call('PUT', `/stores/${store.id}/keys`, keys);
  const statusOf = async (key: string, headers = {}) =>
    (await post(app, store, '{}', { ...wooHeaders('order.created', '{}', key), ...headers }))
      .status;

  const { body } = await change({ new_secret: true });
  const made = body.data.secret;
  expect(made).toMatch(/^\w{40}$/);
  expect(await statusOf(made)).toBe(401);
  expect(await statusOf(made, { 'x-key': 'v4lue' })).toBe(200);

  const changed = await change({ authentication: { ...header, value: 'other' } });
  expect(changed.body.data.secret).toBeNull();
  expect(await statusOf(made, { 'x-key': 'other' })).toBe(200);
  await change({});
  expect(await statusOf(made, { 'x-key': 'other' })).toBe(200);
  expect(await statusOf('x', { 'x-key': 'other' })).toBe(401);

  await change({ authentication: null });
  expect(await statusOf(made)).toBe(200);
  const refused = await change({ secret: null });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { secret: ['is required if no authentication is set'] },
  ]);
  const both = await change({ secret: 'a secret of mine', new_secret: true });
  expect([both.status, both.body.errors]).toEqual([
    422,
    { secret: ['must be absent with new_secret'] },
  ]);
  expect(await statusOf(made)).toBe(200);
});

test('posts of a rare state, and what is too old to keep, are found by an index', async () => {
  const shop = await app.tenant({ number: false });
  const store = await testStore(app, shop);
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into store_events (tenant_id, store_id, dedup_key, headers, body, due_at, resource_number,
                              phone, state)
    select ${shop.id}, ${store.id}, sha256(n::text::bytea), '{}', '', null, n, '+49' || n,
           case n % 400 when 1 then 'failed' when 2 then 'skipped' when 3 then 'nothing_to_do' else 'done' end
    from generate_series(1, 4000) n
    returning case when state = 'failed' then id end as id`);
  await app.db.query(sql`
    with states as (
      insert into store_resources (tenant_id, store_id, kind, resource_id, changed_at)
      select ${shop.id}, ${store.id}, 'order', n, now() - n * interval '1 hour' from generate_series(1, 4000) n
    )
    insert into store_hours (tenant_id, store_id, hour)
    select ${shop.id}, ${store.id}, now() - n * interval '1 hour' from generate_series(1, 4000) n`);
  await app.db.query(sql`analyze store_events, store_resources, store_hours`);

  const member = await signIn(app, shop);
  const { body } = await member.call('GET', `/stores/${store.id}/events?state=failed`);
  const failed = rows.flatMap(({ id }) => id ?? []);
  expect(body.data.events.map((event: { id: number }) => event.id)).toEqual(failed.reverse());

  const listOf = (state: StoreEventState) => (db: Db) =>
    listStoreEvents(db, shop.id, store.id, { limit: 30, state });
  const search = { numbers: ['7'], phone: '+491' };
  const found = (db: Db) => listStoreEvents(db, shop.id, store.id, { limit: 30, search });
  const old = new Date(Date.now() - 3_990 * 3_600_000);
  for (const [index, run] of [
    ['store_events_failed', listOf('failed')],
    ['store_events_due', listOf('waiting')],
    ['store_events_ignored', listOf('skipped')],
    ['store_events_ignored', listOf('nothing_to_do')],
    ['store_events_resource', found],
    ['store_events_phone', found],
    ['store_resources_changed', (db: Db) => pruneStoreResources(db, { before: old }, 500)],
    [
      'store_resources_buyers',
      (db: Db) => pruneStoreResources(db, { before: old, kind: 'buyer' }, 500),
    ],
    ['store_hours_hour', (db: Db) => pruneStoreHours(db, old)],
  ] as const) {
    const { text, values } = await statementOf(run);
    const plan = await app.db.pool.query(`explain ${text}`, values);
    expect(JSON.stringify(plan.rows)).toContain(index);
  }
});

test('every platform is listed with its name and its steps, and Shopify with its own secret', async () => {
  const member = await signIn(app, await app.tenant({ number: false }));
  const { status, body } = await member.call('GET', '/stores/platforms');
  expect(status).toBe(200);
  const step = { text: expect.stringMatching(/\.$/), says: { code: expect.any(String) } };
  expect(body.data).toEqual(
    platformNames.map((name) => ({
      name,
      title: expect.any(String),
      set_up_steps: expect.arrayContaining([step]),
      own_secret: name === 'shopify' ? expect.stringContaining('Shopify shows its secret') : null,
      own_secret_says: name === 'shopify' ? { code: 'shopify_secret_place' } : null,
    })),
  );
});

test('the preview of a sample uses the payload that is shown beside it', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  const member = await signIn(app, shop);
  const numbers = Array.from({ length: 3 }, () => ({ path: 'id' }));
  const { body } = await member.call('POST', `/stores/${store.id}/preview`, {
    topic: 'order.created',
    action: {
      contact: { mode: 'none' },
      template: { name: 'order_update', language: 'en', fields: numbers },
    },
  });
  const { preview, payload } = body.data;
  const { id } = JSON.parse(payload);
  expect(preview.message.fields).toEqual([String(id), String(id), String(id)]);
});

test('a tenant that reads many posts at once does not delay other tenants', async () => {
  const [shop, elsewhere] = [await app.tenant(), await app.tenant()];
  const store = await testStore(app, shop);
  const [owner, neighbour] = [await signIn(app, shop), await signIn(app, elsewhere)];
  let reads: Promise<TestResponse>[] = [];
  await app.db.transaction(async (tx) => {
    await tx.query(sql`lock table store_events in access exclusive mode`);
    reads = Array.from({ length: 20 }, () => owner.call('GET', `/stores/${store.id}/events/1`));
    await lockWaiters(app, { count: 3 });
    for (let times = 0; times < 5; times++) {
      expect((await neighbour.call('GET', '/members')).status).toBe(200);
    }
  });
  for (const { status } of await Promise.all(reads)) expect(status).toBe(404);
});

test('a store and its posts are not found by another tenant or under another store', async () => {
  const [shop, elsewhere] = [await app.tenant(), await app.tenant()];
  const [store, sibling] = [await testStore(app, shop), await testStore(app, shop)];
  const theirs = await testStore(app, elsewhere);
  const [owner, stranger] = [await signIn(app, shop), await signIn(app, elsewhere)];
  const { id: event } = await sendWoo(app, store, 'order.created', order);
  const action = { contact: { mode: 'none' } };
  for (const [method, path, body] of [
    ['GET', ''],
    ['PUT', '/topics/order.created', action],
    ['PUT', '', { name: 'Theirs' }],
    ['PUT', '/keys', {}],
    ['GET', '/events'],
    ['POST', '/preview', { topic: 'order.created', action }],
    ['POST', '/test', { topic: 'order.created' }],
    ['GET', `/events/${event}`],
    ['POST', `/events/${event}/replay`],
    ['DELETE', ''],
  ] as const) {
    const { status } = await stranger.call(method, `/stores/${store.id}${path}`, body);
    expect(status, `${method} ${path}`).toBe(404);
  }
  const preview = { topic: 'order.created', action, event_id: event };
  for (const [by, { id }] of [
    [stranger, theirs],
    [owner, sibling],
  ] as const) {
    for (const [method, path, body] of [
      ['GET', `/events/${event}`],
      ['POST', `/events/${event}/replay`],
      ['POST', '/preview', preview],
    ] as const) {
      const { status } = await by.call(method, `/stores/${id}${path}`, body);
      expect(status, `${method} ${path} of ${id}`).toBe(404);
    }
  }
  const { body } = await stranger.call('GET', '/stores');
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual([theirs.id]);
  await owner.call('PUT', `/stores/${store.id}/topics/order.created`, action);
  const details = (await owner.call('GET', `/stores/${sibling.id}`)).body.data;
  expect(details.topics.some((each: { is_set: boolean }) => each.is_set)).toBe(false);
  expect((await owner.call('GET', `/stores/${store.id}/events`)).body.data.events).toHaveLength(1);
});

test('an action cannot have labels of another tenant; a label that was deleted since does not block changes', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  const member = await signIn(app, shop);
  const map = (group_ids: number[], source_id?: number) =>
    member.call('PUT', `/stores/${store.id}/topics/order.created`, {
      contact: { mode: 'upsert', group_ids, source_id },
    });
  const foreign = await app.tenant();
  const other = (await foreign.call('POST', '/groups', { name: 'Theirs' })).body.data.id;
  expect((await map([other])).body.errors).toEqual({
    group_ids: ['must be ids of existing groups'],
  });
  const source = (await foreign.call('POST', '/sources', { name: 'Theirs' })).body.data.id;
  expect((await map([], source)).body.errors).toHaveProperty('source_id');

  const own = (await shop.call('POST', '/groups', { name: 'Buyers' })).body.data.id;
  const gone = (await shop.call('POST', '/groups', { name: 'Gone' })).body.data.id;
  expect((await map([gone])).status).toBe(200);
  await shop.call('DELETE', `/groups/${gone}`);
  expect((await map([gone, own])).status).toBe(200);
});

test.each([
  ['woocommerce', ['order.deleted', 'product.created', 'product.updated']],
  ['shopify', ['order.deleted', 'product.created', 'product.updated']],
  ['custom', ['order.deleted']],
])('a store of %s lists the topics that never have a phone', async (platform, withoutBuyer) => {
  const shop = await app.tenant();
  const store = await testStore(app, shop, { platform });
  const member = await signIn(app, shop);
  const { topics } = (await member.call('GET', `/stores/${store.id}`)).body.data;
  const without = topics.filter((each: { has_no_buyer: boolean }) => each.has_no_buyer);
  expect(without.map((each: { topic: string }) => each.topic)).toEqual(withoutBuyer);
});

test('a store can be deleted while the outcomes of its posts are being stored', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  await sendWoo(app, store, 'order.created', order);
  const member = await signIn(app, shop);
  const touched = 'update store_hours set done = done where store_id = $1';
  const writer = await holdLocks(app, touched, [store.id]);
  const deleted = member.call('DELETE', `/stores/${store.id}`);
  await lockWaiters(app);
  // The foreign key of new counts takes the same lock. Now each waits for the other, and PostgreSQL aborts one of
  // them, nearly always the one that has waited longer, which is the deletion.
  await writer
    .query('select from stores where id = $1 for key share', [store.id])
    .catch((error) => expect(error.code).toBe('40P01'));
  await writer.query('commit');
  expect((await deleted).status).toBe(200);
  expect((await member.call('GET', '/stores')).body.data).toEqual([]);
});

test('a tenant has at most 200 stores', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  await app.db.pool.query(
    `insert into stores (tenant_id, webhook_id, platform, name, secret)
     select $1::bigint, $1 || '-' || n, 'custom', 'x', '\\x00' from generate_series(1, 200) as n`,
    [shop.id],
  );
  const refused = await owner.call('POST', '/stores', { platform: 'custom', name: 'One more' });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { name: ['cannot be added: the tenant has 200 stores, the maximum'] },
  ]);
});
