import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { write } from '../../test/features/bots.ts';
import { signIn } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { control } from '../../test/servers/control.ts';
import { startReceiver } from '../../test/servers/receiver.ts';
import { purgeConversations } from '../messages/erasing/purge-conversations.ts';
import { startDelivering } from '../webhooks/delivering/start-delivering.ts';
import { addEndpoint } from '../webhooks/endpoints/add-endpoint.ts';
import { furtherEvents } from './event-schemas.ts';
import { startPublishing } from './publishing/start-publishing.ts';

const app = testApp({ PARLEY_WEBHOOK_SCHEDULE: '0,1' });
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stops: (() => Promise<void>)[];
beforeAll(async () => {
  receiver = await startReceiver();
  stops = [startDelivering(app.services), startPublishing(app.services)];
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await receiver.close();
});

type Settings = Partial<Parameters<typeof addEndpoint>[2]>;

function add(shop: TestTenant, name: string, settings: Settings) {
  const url = `${receiver.url}/${shop.slug}/${name}`;
  return addEndpoint(app.services, shop.id, { name, url, ...settings });
}

/** What an endpoint got, in the order of the events. */
function received(shop: TestTenant, name: string) {
  const all = receiver.received.filter(({ path }) => path === `/${shop.slug}/${name}`);
  return all.toSorted((a, b) => numberOf(a.headers) - numberOf(b.headers));
}

const idOf = (headers: { [name: string]: unknown }) => String(headers['webhook-id']);
const numberOf = (headers: { [name: string]: unknown }) => Number(idOf(headers).split('_')[1]);

function eventsAt(shop: TestTenant, name: string): string[] {
  return received(shop, name).map(({ body }) => body.event);
}

test('each endpoint gets the events that it has chosen and its filters let through, with the id of the log', async () => {
  const shop = await app.tenant({ delivers: true });
  await add(shop, 'contract', {});
  await add(shop, 'all', { events: ['message.*'] });
  await add(shop, 'sent', { events: ['message.sent'] });
  await add(shop, 'number', { events: ['message.*'], numbers: [shop.number.phone_number_id] });
  await add(shop, 'images', { events: ['message.*'], kinds: ['image'] });
  await add(shop, 'bots', { events: ['message.*'], causes: ['bot'] });
  const body = { phone_number: '+14155550123', type: 'text', message: 'Hi', reference: 'order-7' };
  const sent = (await shop.call('POST', '/messages/send', body)).body.data;
  await eventually(async () => eventsAt(shop, 'all').length === 2);
  await write(app, shop, '14155550123', 'Hello');
  await eventually(async () => eventsAt(shop, 'all').length === 3);
  await eventually(
    async () => eventsAt(shop, 'bots').length + eventsAt(shop, 'number').length === 4,
  );

  const messages = ['message.sent', 'message.delivered', 'message.received'];
  expect(eventsAt(shop, 'all')).toEqual(messages);
  expect(eventsAt(shop, 'number')).toEqual(messages);
  expect(eventsAt(shop, 'sent')).toEqual(['message.sent']);
  // A person's messages have no cause.
  expect(eventsAt(shop, 'bots')).toEqual(['message.received']);
  expect(eventsAt(shop, 'images')).toEqual([]);
  // Only the contact that the inbound message made.
  await eventually(async () => eventsAt(shop, 'contract').length > 0);
  expect(eventsAt(shop, 'contract')).toEqual(['contact.created']);

  const [first] = received(shop, 'all');
  expect(first!.body.data).toMatchObject({
    id: sent.id,
    reference: 'order-7',
    status: 'sent',
    delivered_at: null,
    sequence: 1,
    cause: { kind: 'api', id: shop.tokenId },
  });
  const log = (await shop.call('GET', '/events?types=message.*')).body.data;
  expect(received(shop, 'all').map(({ headers }) => idOf(headers))).toEqual(
    log.map(({ id }: { id: string }) => id),
  );
  expect(received(shop, 'all').map(({ body }) => body.data)).toEqual(
    log.map(({ data }: { data: object }) => data),
  );
});

test('an endpoint that gathers gets the inbound messages of a conversation together', async () => {
  const shop = await app.tenant();
  await add(shop, 'gathered', { events: ['message.*'], gatherSeconds: 2 });
  await add(shop, 'single', { events: ['message.received'] });
  await Promise.all(['One', 'Two', 'Three'].map((text) => write(app, shop, '14155550123', text)));
  await write(app, shop, '14155550124', 'Another person');
  await eventually(async () => eventsAt(shop, 'gathered').length === 2);
  expect(eventsAt(shop, 'gathered')).toEqual(Array(2).fill('message.received_batch'));
  const batches = received(shop, 'gathered').map(
    ({ body }) => body.data.messages as { phone_number: string; sequence: number }[],
  );
  const shown = batches.map((messages) => [
    messages[0]!.phone_number,
    messages.map(({ sequence }) => sequence),
  ]);
  expect(shown.sort()).toEqual([
    ['+14155550123', [1, 2, 3]],
    ['+14155550124', [1]],
  ]);
  expect(eventsAt(shop, 'single')).toEqual(Array(4).fill('message.received'));
});

test('a deleted contact takes its messages out of the log of deliveries, and out of what is being gathered', async () => {
  const shop = await app.tenant();
  await add(shop, 'all', { events: ['message.*'] });
  await add(shop, 'gathered', { events: ['message.*'], gatherSeconds: 60 });
  for (const from of ['14155550123', '14155550124']) await write(app, shop, from, 'Hello');
  const copies = async () => {
    const { rows } = await app.db.query<{ person: string; state: string }>(sql`
      select person, state::text from deliveries where tenant_id = ${shop.id} and event like 'message.%'
      union all select person, 'gathered' from gathered_messages where tenant_id = ${shop.id}
      order by person, state`);
    return rows.map(({ person, state }) => `${person} ${state}`);
  };
  const ofOther = ['+14155550124 delivered', '+14155550124 gathered'];
  await eventually(
    async () => (await copies()).filter((each) => !each.includes('waiting')).length === 4,
  );
  expect(await copies()).toEqual(['+14155550123 delivered', '+14155550123 gathered', ...ofOther]);
  const { data } = (await shop.call('GET', '/contacts')).body;
  const { id } = data.find(({ phone }: { phone: string }) => phone === '+14155550123');
  await shop.call('DELETE', `/contacts/${id}`);
  // The person writes again before the removal is done.
  await write(app, shop, '14155550123', 'A new beginning');
  const ofNew = ['+14155550123 delivered', '+14155550123 gathered'];
  await eventually(async () => (await copies()).length === 6);
  await eventually(async () => !(await copies()).some((each) => each.includes('waiting')));
  await purgeConversations(app.db);
  expect(await copies()).toEqual([...ofNew, ...ofOther]);
});

describe('of a deleted contact,', () => {
  /** Reports texts of people, with the identities that the network shows. */
  async function report(shop: TestTenant, id: string, contact: object, message: object) {
    const text = { id, timestamp: '1793000000', type: 'text', text: { body: 'Oi' }, ...message };
    const value = { contacts: [{ profile: { name: 'Ana' }, ...contact }], messages: [text] };
    const { phone_number_id } = shop.number;
    await control(app, 'POST', '/simulator/changes', { phone_number_id, field: 'messages', value });
  }

  async function deliveriesOf(shop: TestTenant) {
    const { rows } = await app.db.query<{ event: string; person: string; state: string }>(sql`
      select event, person, state::text from deliveries where tenant_id = ${shop.id} order by id`);
    return rows;
  }

  const endedOf = async (shop: TestTenant) =>
    (await deliveriesOf(shop)).filter(({ state }) => state !== 'waiting').length;

  const deleteAll = async (shop: TestTenant) => {
    for (const { id } of (await shop.call('GET', '/contacts')).body.data)
      await shop.call('DELETE', `/contacts/${id}`);
  };

  test('messages that wait at an endpoint are not sent, but events of the contact are, and then leave the log', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const events = ['contact.created', 'contact.deleted', 'message.*'];
    const { webhook } = await add(shop, 'paused', { events, ordered: true });
    const pause = (paused: boolean) =>
      owner.call('PUT', `/webhook/pause?endpoint=${webhook.id}`, { paused });
    await pause(true);
    await write(app, shop, '14155550123', 'Hello');
    await eventually(async () => (await deliveriesOf(shop)).length === 2);
    await deleteAll(shop);
    await purgeConversations(app.db);
    expect((await deliveriesOf(shop)).map(({ event }) => event)).toEqual([
      'contact.created',
      'contact.deleted',
    ]);
    await pause(false);
    await eventually(async () => (await endedOf(shop)) === 2);
    expect(eventsAt(shop, 'paused')).toEqual(['contact.created', 'contact.deleted']);
    await app.moveClock(3_600_000);
    await purgeConversations(app.db);
    expect((await deliveriesOf(shop)).map(({ event }) => event)).toEqual(['contact.deleted']);
  });

  test('nothing waits for an endpoint that is off, which never hears of the deletion', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const { webhook } = await add(shop, 'off', { events: ['contact.*'] });
    const path = `/webhook/pause?endpoint=${webhook.id}`;
    await owner.call('PUT', path, { paused: true });
    await write(app, shop, '14155550123', 'Hello');
    await eventually(async () => (await deliveriesOf(shop)).length === 1);
    await app.db.query(sql`
      update webhooks set off_since = now() where tenant_id = ${shop.id} and id = ${webhook.id}`);
    await deleteAll(shop);
    await purgeConversations(app.db);
    expect(await deliveriesOf(shop)).toEqual([]);
  });

  test('deliveries of earlier identities are deleted too, but not those of the next owner of a phone', async () => {
    const shop = await app.tenant();
    await add(shop, 'all', { events: ['message.*'] });
    const [old, later, user_id] = ['14155558101', '14155558102', 'US.77128101'];
    await report(shop, 'wamid.e1', { wa_id: old }, { from: old });
    await report(shop, 'wamid.e2', { user_id }, { from_user_id: user_id });
    await eventually(async () => (await endedOf(shop)) === 2);
    // Both are one person, who then gets another phone.
    await report(shop, 'wamid.e3', { wa_id: old, user_id }, { from: old, from_user_id: user_id });
    await eventually(async () => (await endedOf(shop)) === 3);
    const body = `User Ana changed from ${old} to ${later}`;
    const system = { type: 'user_changed_number', body, wa_id: later };
    await report(shop, 'wamid.e4', {}, { from: old, type: 'system', system });
    await eventually(async () => {
      const { data } = (await shop.call('GET', '/contacts')).body;
      return data.length === 1 && data[0].phone === `+${later}`;
    });
    const [ana] = (await shop.call('GET', '/contacts')).body.data;
    await report(shop, 'wamid.e5', { wa_id: old }, { from: old });
    await eventually(async () => (await deliveriesOf(shop)).length === 5);
    await eventually(async () => (await endedOf(shop)) === (await deliveriesOf(shop)).length);
    const keys = (await deliveriesOf(shop)).map(({ person }) => person);
    expect(keys).toEqual(expect.arrayContaining([`+${old}`, `user:${user_id}`]));
    await shop.call('DELETE', `/contacts/${ana.id}`);
    await purgeConversations(app.db);
    expect(await deliveriesOf(shop)).toEqual([
      { event: 'message.received', person: `+${old}`, state: 'delivered' },
    ]);
  });
});

test('the data of every event is as it is described', async () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const faults = receiver.received.flatMap(({ body }) => {
    const described = furtherEvents[body.event as keyof typeof furtherEvents];
    if (!described) return [];
    const isValid = ajv.compile({ ...described.schema, additionalProperties: false });
    return isValid(body.data) ? [] : [`${body.event} ${ajv.errorsText(isValid.errors)}`];
  });
  expect(faults).toEqual([]);
  const checked = new Set(receiver.received.map(({ body }) => body.event));
  expect(checked).toContain('message.received');
  expect(checked).toContain('message.received_batch');
  expect(checked).toContain('message.sent');
});

test('events of the contact and the messages of a person whose phone is hidden have the same person, and are found by the user id', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const { webhook } = await add(shop, 'all', { events: ['contact.*', 'message.received'] });
  await control(app, 'POST', '/simulator/phones', { phone: '14155557002', name: 'Ana' });
  const phone = { username: 'ana.7002', hidden: true };
  const { user_id } = await control(app, 'PATCH', '/simulator/phones/14155557002', phone);
  await write(app, shop, '14155557002', 'Hello');
  await eventually(async () => eventsAt(shop, 'all').length === 2);
  // As earlier versions recorded it.
  await app.db.query(sql`
    insert into deliveries (tenant_id, webhook_id, event, body, person, state)
    values (${shop.id}, ${webhook.id}, 'contact.updated', '{}', ${user_id}, 'delivered')`);
  const { rows } = await app.db.query(sql`
    select distinct person from deliveries where tenant_id = ${shop.id} and body <> '{}'`);
  expect(rows).toEqual([{ person: `user:${user_id}` }]);
  const path = `/webhook/deliveries?endpoint=${webhook.id}&id=${user_id}`;
  const { deliveries } = (await owner.call('GET', path)).body.data;
  expect(deliveries.map(({ event }: { event: string }) => event).toSorted()).toEqual([
    'contact.created',
    'contact.updated',
    'message.received',
  ]);
});
