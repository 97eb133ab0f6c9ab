import pg from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../../test/database/locks.ts';
import { openLiveStream, type ReceivedEvent } from '../../../../test/features/live-stream.ts';
import { signIn, type TestMember } from '../../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { control } from '../../../../test/servers/control.ts';
import { byField, optionalFieldNames } from '../../../contacts/fields/contact-fields.ts';
import { upsertContacts } from '../../../contacts/files/importing/import-query.ts';
import { createContactIfAbsent, upsertContact } from '../../../contacts/writing/upsert-contact.ts';
import { wakeDeliverers } from '../../../webhooks/insert-deliveries.ts';
import { setWebhook } from '../../../webhooks/set-webhook.ts';
import type { LiveEvent } from '../dashboard-schema.ts';

const app = testApp();

type Changed = Extract<LiveEvent, { kind: 'changed' }>;

const listen = (shop: TestTenant, member: TestMember, after?: string) =>
  openLiveStream(app, shop, member, after);

const changedOf = (events: ReceivedEvent[]) => events.filter((each) => each.kind === 'changed');
const messagesOf = (events: ReceivedEvent[]) =>
  changedOf(events).flatMap(({ messages }: Changed) => messages);

function receive(shop: TestTenant, from: string, text: string) {
  const { phone_number_id } = shop.number;
  return control(app, 'POST', '/simulator/inbound', { phone_number_id, from, text });
}

test('an event has the conversation as it is now and the message, and is of its own tenant only', async () => {
  const [shop, other] = [await app.tenant({ delivers: true }), await app.tenant()];
  const owner = await signIn(app, shop);
  const stream = await listen(shop, owner);
  const strangers = await listen(other, await signIn(app, other));
  expect(stream.events()[0]).toMatchObject({
    kind: 'ready',
    email: owner.email,
    user_id: owner.userId,
    newest: 0,
  });
  await receive(other, '+14155550101', 'Of another shop');
  await receive(shop, '+14155550102', 'Hello');
  await eventually(async () => messagesOf(stream.events()).length > 0);
  const [event] = changedOf(stream.events());
  expect(event).toMatchObject({
    conversations: [{ phone: '+14155550102', unread: 1, last: { content: { text: 'Hello' } } }],
    messages: [{ direction: 'in', content: { text: 'Hello' }, person: '+14155550102' }],
  });
  const { body } = await owner.call('GET', '/conversations');
  expect(event?.conversations).toEqual(body.data.conversations);

  await shop.call('POST', '/messages/send', {
    phone_number: '+14155550102',
    type: 'text',
    message: 'Welcome',
  });
  await eventually(async () =>
    messagesOf(stream.events()).some(({ status }) => status === 'delivered'),
  );
  await owner.call('PUT', '/conversation', { phone: '+14155550102', read: true });
  await eventually(async () => changedOf(stream.events()).at(-1)?.conversations[0]?.unread === 0);
  await eventually(async () => messagesOf(strangers.events()).length > 0);
  expect(JSON.stringify(stream.events())).not.toContain('another');
  expect(JSON.stringify(strangers.events())).not.toContain('Hello');
});

test('a message whose statement began before the first stream of its tenant is sent too', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await receive(shop, '+14155550102', 'Stored before');
  await eventually(async () => {
    const { body } = await owner.call('GET', '/conversations');
    return body.data.conversations.length === 1;
  });
  const other = await holdLocks(app, 'select from conversations where tenant_id = $1 for update', [
    shop.id,
  ]);
  await receive(shop, '+14155550102', 'Under way');
  await lockWaiters(app);
  const stream = await listen(shop, owner);
  await other.query('commit');
  await eventually(async () =>
    messagesOf(stream.events()).some(({ content }) => content.text === 'Under way'),
  );
});

test('readers and other programs do not delay what the first stream of a tenant has missed', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await receive(shop, '+14155550102', 'Stored before');
  await eventually(async () => {
    const { body } = await owner.call('GET', '/conversations');
    return body.data.conversations.length === 1;
  });
  const reader = new pg.Client(app.connection);
  await reader.connect();
  await reader.query('begin isolation level repeatable read; select from messages');
  const query = vi.spyOn(app.db.reads.dashboard, 'query');
  onTestFinished(async () => {
    query.mockRestore();
    await reader.end();
  });
  const stream = await listen(shop, owner);
  await eventually(async () => messagesOf(stream.events()).length > 0);
  const looks = query.mock.calls.filter(([{ text }]) => text.includes('pg_stat_activity'));
  // It would look about fifty times before it gives up.
  expect(looks.length).toBeLessThan(10);
});

test('the next stream of a browser has what the previous one missed, and nothing is asked for again', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const first = await listen(shop, owner);
  await receive(shop, '+14155550102', 'Seen');
  await eventually(async () => messagesOf(first.events()).length > 0);
  first.close();
  const after = first.events().at(-1)!.id;
  await receive(shop, '+14155550103', 'Missed');

  const second = await listen(shop, owner, after);
  expect(second.events()[0]).toMatchObject({ kind: 'resumed', email: owner.email });
  await eventually(async () =>
    messagesOf(second.events()).some(({ content }) => content.text === 'Missed'),
  );
  const unknown = await listen(shop, owner, 'unknown.5');
  expect(unknown.events()[0]).toMatchObject({ kind: 'restarted' });
});

test('a contact that is created, renamed or labelled is so in the open conversation', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await app.db.query(sql`update tenants set contacts_from_inbound = false where id = ${shop.id}`);
  const stream = await listen(shop, owner);
  await receive(shop, '+14155550110', 'Hello');
  await eventually(async () => messagesOf(stream.events()).length > 0);
  let seen = stream.events().length;
  const changes = () => changedOf(stream.events().slice(seen));
  /** Waits for the one event of a change. */
  const isReported = async (name: string) => {
    await eventually(async () => changes().length > 0);
    expect(changes()).toMatchObject([{ conversations: [{ name }], messages: [] }]);
    seen = stream.events().length;
  };
  const ada = { firstname: 'Ada', phone: '+14155550110' };
  const { id } = (await shop.call('POST', '/contacts', ada)).body.data;
  await isReported('Ada');
  await shop.call('PUT', `/contacts/${id}`, { company: 'Analytical Engines' });
  await shop.call('POST', '/contacts', { firstname: 'Bo', phone: '+14155550111' });
  await shop.call('PUT', `/contacts/${id}`, { lastname: 'Lovelace' });
  await isReported('Ada Lovelace');
  const label = async (path: string) =>
    (await shop.call('POST', path, { name: 'New' })).body.data.id as number;
  const [status_id, group] = [await label('/statuses'), await label('/groups')];
  await shop.call('PUT', `/contacts/${id}`, { status_id });
  await isReported('Ada Lovelace');
  await shop.call('PUT', `/contacts/${id}`, { group_ids: [group] });
  await isReported('Ada Lovelace');
  await owner.call('POST', '/contacts/assign', { ids: [id], remove_group_id: group });
  await isReported('Ada Lovelace');
});

test('every way to create a contact shows its name in the open conversation', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await app.db.query(sql`update tenants set contacts_from_inbound = false where id = ${shop.id}`);
  const stream = await listen(shop, owner);
  const names = () =>
    changedOf(stream.events()).flatMap(({ conversations }: Changed) =>
      conversations.map(({ name }) => name),
    );
  const nothing = byField(optionalFieldNames, () => null);
  const labels = { statusId: null, sourceId: null, groupIds: [], metadata: null };
  const ways: [name: string, (phone: string, firstname: string) => Promise<unknown>][] = [
    ['Ada', (phone, firstname) => shop.call('POST', '/contacts', { firstname, phone })],
    [
      'Bo',
      (phone, firstname) => shop.call('PUT', `/contacts?phone=%2B${phone.slice(1)}`, { firstname }),
    ],
    ['Cy', (phone, firstname) => upsertContact(app.db, shop.id, { phone, firstname })],
    ['Di', (phone, firstname) => createContactIfAbsent(app.db, shop.id, { phone, firstname })],
    [
      'Ed',
      (phone, firstname) =>
        upsertContacts(app.db, shop.id, [{ ...nothing, ...labels, phone, firstname }]),
    ],
  ];
  for (const [index, [name, create]] of ways.entries()) {
    const phone = `+1415555012${index}`;
    await receive(shop, phone, 'Hello');
    await eventually(async () => messagesOf(stream.events()).length === index + 1);
    await create(phone, name);
    await eventually(async () => names().includes(name));
  }
});

test('the conversations of a member who is removed are unassigned in open dashboards', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const staff = await signIn(app, shop, 'staff');
  const stream = await listen(shop, owner);
  const phones = ['+14155550113', '+14155550114', '+14155550115'];
  for (const phone of phones) await receive(shop, phone, 'Hello');
  await eventually(async () => messagesOf(stream.events()).length === 3);
  for (const phone of phones.slice(0, 2)) {
    await owner.call('PUT', '/conversation', { phone, assignee: staff.userId });
  }
  const lastOf = (phone: string) =>
    changedOf(stream.events())
      .flatMap(({ conversations }: Changed) => conversations)
      .findLast((each) => each.phone === phone);
  await eventually(async () => lastOf('+14155550114')?.assignee === staff.userId);
  const seen = stream.events().length;
  await owner.call('DELETE', `/members/${staff.userId}`);
  await eventually(async () => lastOf('+14155550114')?.assignee === null);
  const [event, ...others] = changedOf(stream.events().slice(seen));
  expect(others).toEqual([]);
  expect(event?.conversations).toMatchObject([
    { phone: '+14155550114', assignee: null },
    { phone: '+14155550113', assignee: null },
  ]);
});

test('browsers of the tenant read everything again when a contact is deleted with its conversation', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const owner = await signIn(app, shop);
  const strangers = await listen(other, await signIn(app, other));
  await receive(shop, '+14155550108', 'Hello');
  const ada = await eventually(async () => (await shop.call('GET', '/contacts')).body.data[0]);
  const silent = await shop.call('POST', '/contacts', { firstname: 'Bo', phone: '+14155550109' });
  const stream = await listen(shop, owner);
  const reloads = () => stream.events().filter(({ kind }) => kind === 'reload').length;
  await shop.call('DELETE', `/contacts/${silent.body.data.id}`);
  await shop.call('DELETE', `/contacts/${ada.id}`);
  await eventually(async () => reloads() > 0);
  // The one without a conversation was deleted first and notified nobody.
  expect(reloads()).toBe(1);
  expect(strangers.events().filter(({ kind }) => kind === 'reload')).toEqual([]);
});

test('browsers of the tenant read everything again when two conversations become one, and when that is undone', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const stream = await listen(shop, owner);
  const reloads = () => stream.events().filter(({ kind }) => kind === 'reload').length;
  const { phone_number_id } = shop.number;
  const hidden = { phone_number_id, from: '+14155550112', text: 'Hello', hide_phone: true };
  await control(app, 'POST', '/simulator/inbound', hidden);
  await eventually(async () => messagesOf(stream.events()).length > 0);
  expect(messagesOf(stream.events())[0]!.person).toMatch(/^user:/);
  expect(reloads()).toBe(0);
  // Its statuses name both the phone and the user id.
  const order = { phone_number: '+14155550112', type: 'text', message: 'Your order' };
  await shop.call('POST', '/messages/send', order);
  await eventually(async () => reloads() === 1);
  const { body } = await owner.call('GET', '/contact-merges');
  await owner.call('POST', `/contact-merges/${body.data[0].id}/undo`);
  await eventually(async () => reloads() === 2);
});

const touchedOf = (events: ReceivedEvent[]) =>
  events.flatMap((each) => (each.kind === 'touched' ? each.topics : []));

test('a topic is sent to the browsers of its tenant when something of it changes, and at no cost', async () => {
  noteReads();
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const owner = await signIn(app, shop);
  const stream = await listen(shop, owner);
  const strangers = await listen(other, await signIn(app, other));
  await Promise.all([shop, other].map(hasSearched));
  await setWebhook(app.services, shop.id, { url: 'http://127.0.0.1:9/hook' });
  await eventually(async () => touchedOf(stream.events()).includes('webhook'));
  await shop.call('GET', '/messages/none');
  await eventually(async () => touchedOf(stream.events()).includes('usage'));
  const before = readsOf(shop).length;
  for (let each = 0; each < 50; each++) {
    await app.db.query(sql`
      insert into deliveries (tenant_id, event, body) values (${shop.id}, 'status.created', '{}')
      returning ${wakeDeliverers}`);
  }
  const count = () => touchedOf(stream.events()).filter((topic) => topic === 'webhook').length;
  const sent = count();
  await eventually(async () => count() > sent);
  expect(count()).toBeLessThan(10);
  expect(readsOf(shop)).toHaveLength(before);
  expect(touchedOf(strangers.events())).toEqual([]);
});

test('the next stream has the topics that the previous one missed', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const first = await listen(shop, owner);
  first.close();
  await setWebhook(app.services, shop.id, { url: 'http://127.0.0.1:9/hook' });
  await owner.call('PUT', '/request-bodies', { minutes: 1 });
  const second = await listen(shop, owner, first.events().at(-1)!.id);
  expect(second.events()[0]).toMatchObject({ kind: 'resumed' });
  await eventually(async () => touchedOf(second.events()).includes('webhook'));
  await eventually(async () => touchedOf(second.events()).includes('requests'));
});

test('a change costs the database the same for one stream and for ten', async () => {
  noteReads();
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const costs: number[] = [];
  const streams = [await listen(shop, owner)];
  await hasSearched(shop);
  for (const phone of ['+14155550104', '+14155550105']) {
    const before = readsOf(shop).length;
    await receive(shop, phone, 'Hello');
    await eventually(async () =>
      streams.every(({ events }) => messagesOf(events()).some(({ person }) => person === phone)),
    );
    costs.push(readsOf(shop).length - before);
    while (streams.length < 10) streams.push(await listen(shop, owner));
  }
  expect(costs[1]).toBe(costs[0]);
});

/** The statements of the dashboard's reads since the first call of `noteReads`. */
const noted: Sql[] = [];
let isNoting = false;

function noteReads(): void {
  if (isNoting) return;
  isNoting = true;
  const { dashboard } = app.db.reads;
  const { query } = dashboard;
  dashboard.query = ((statement: Sql) => {
    noted.push(statement);
    return query.call(dashboard, statement);
  }) as typeof query;
}

const readsOf = ({ id }: TestTenant) => noted.filter(({ values }) => values.includes(id));

/** Waits until the first stream of a tenant has searched for messages that notified nobody. */
function hasSearched(shop: TestTenant) {
  return eventually(async () => readsOf(shop).some(({ text }) => text.includes('as newest')));
}
