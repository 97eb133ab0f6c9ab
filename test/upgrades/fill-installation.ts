import sql from 'sql-template-tag';
import { startAnswering } from '../../src/bots/answering/start-answering.ts';
import { changeAllContacts } from '../../src/contacts/many/change-all-contacts.ts';
import { indexSearchTexts } from '../../src/contacts/searching/index-search-texts.ts';
import { startPublishing } from '../../src/events/publishing/start-publishing.ts';
import { createRateMover } from '../../src/limits/move-rates.ts';
import { startKeeping } from '../../src/media/kept/start-keeping.ts';
import { inviteMember } from '../../src/members/invite-member.ts';
import { watchConversations } from '../../src/messages/conversations/live/conversation-changes.ts';
import { purgeConversations } from '../../src/messages/erasing/purge-conversations.ts';
import { automatedSenderOf } from '../../src/messages/sending/automated/automated-sender-of.ts';
import { createNumberFinder } from '../../src/numbers/find-number.ts';
import { countUnconnected } from '../../src/numbers/state/unconnected-numbers.ts';
import { rollUpMessages } from '../../src/overview/roll-up-messages.ts';
import { mapTopic } from '../../src/stores/map-topic.ts';
import { changeKeys } from '../../src/stores/setup/change-keys.ts';
import { syncTemplates } from '../../src/templates/syncing/sync-templates.ts';
import { updateTenant } from '../../src/tenants/queries.ts';
import { startDelivering } from '../../src/webhooks/delivering/start-delivering.ts';
import { addEndpoint } from '../../src/webhooks/endpoints/add-endpoint.ts';
import { measureDeliveries } from '../../src/webhooks/quota/measure-deliveries.ts';
import { eventually } from '../checks/eventually.ts';
import { answersOf, testBot, write } from '../features/bots.ts';
import { formOf, formType } from '../features/forms.ts';
import { openSession, post, sameOrigin, signIn, type TestMember } from '../features/sign-in.ts';
import { fixture, processPosts, secret, sendWoo, testStore } from '../features/stores.ts';
import { call, type TestApp, type TestResponse, type TestTenant } from '../program/app.ts';
import { control } from '../servers/control.ts';
import { startReceiver } from '../servers/receiver.ts';

/** The secrets of an installation, and the ids of what a test reads in it. */
export type Access = {
  /** Base64. */
  masterKey: string;
  slug: string;
  token: string;
  email: string;
  password: string;
  /** An open session. */
  cookie: string;
  webhookSecret: string;
  storeId: number;
  /** The network's id of the message that was sent with `retried`. */
  messageId: string;
};

// The fixtures of releases contain the following.
export const ada = { firstname: 'Ada', lastname: 'Lovelace', phone: '+14155550123' };
export const status = { name: 'Customer', color: '#22c55e' };
export const bot = { match: 'contains' as const, keywords: ['hours'], reply: 'From 9 to 5.' };
export const retried = {
  body: { type: 'text', phone_number: ada.phone, message: 'Your order is on its way.' },
  headers: { 'idempotency-key': 'order-1042' },
};

/** Uses every feature of the service once, as customers do, and leaves rows in every table. */
export async function fillInstallation(app: TestApp): Promise<Access> {
  const { db, services } = app;
  const shop = await app.tenant({ plan: 'pro', delivers: true });
  const owner = await signIn(app, shop);
  const receiver = await startReceiver();
  const sender = automatedSenderOf(services);
  const stops = [
    startDelivering(services),
    startPublishing(services),
    processPosts(app),
    startAnswering({ ...services, sender, lookEveryMs: 50 }),
  ];
  const webhookSecret = await addWebhook(owner, receiver.url);
  // What arrives within the minute stays gathered.
  const gathering = { events: ['message.received'], gatherSeconds: 60 };
  await addEndpoint(services, shop.id, { name: 'gathered', url: receiver.url, ...gathering });
  await syncTemplates(services, shop.id);
  await addPeople(app, shop, owner);
  await addContacts(shop);
  await addFileAndBulkChange(app, shop, owner);
  const messageId = await talk(app, shop);
  const storeId = await addStore(app, shop);
  await showPhoneLater(app, shop);
  await keepFile(app, shop);
  await eventually(async () => receiver.received.length > 0);
  await eventually(async () => {
    const { rows } = await db.pool.query("select from deliveries where state = 'waiting'");
    return rows.length === 0;
  });
  for (const stop of stops) await stop();
  await receiver.close();

  await measureDeliveries(services);
  await indexSearchTexts(db);
  await eventually(async () => {
    // Waits for older transactions, also those of other tests on the same server.
    await rollUpMessages(db, { settleMs: 0 });
    return (await db.pool.query('select from message_outcomes')).rows.length > 0;
  });
  await watchConversations(db, shop.id, 60_000);
  await leaveWork(app, shop);
  // A later status would change rows that a test has read.
  await eventually(async () => {
    const { rows } = await db.query(
      sql`select from stored_messages where tenant_id = ${shop.id} and status = 'sent'`,
    );
    return rows.length === 0;
  });
  // Usage and the log of requests are added a few seconds after the requests.
  for (const table of ['token_usage', 'api_requests']) {
    await eventually(async () => (await db.pool.query(`select from ${table}`)).rows.length > 0);
  }
  return {
    masterKey: app.masterKey.toString('base64'),
    slug: shop.slug,
    token: shop.token,
    email: owner.email,
    password: owner.password,
    cookie: owner.cookie,
    webhookSecret,
    storeId,
    messageId,
  };
}

/**
 * Lets a person write without a phone, and then with it, so that both identities become one person. Another one changes
 * the phone.
 */
async function showPhoneLater(app: TestApp, shop: TestTenant) {
  const wa_id = '14155550155';
  const user_id = 'US.77120155';
  const { phone_number_id } = shop.number;
  const report = (id: string, contact: object, from: object) =>
    control(app, 'POST', '/simulator/changes', {
      phone_number_id,
      field: 'messages',
      value: {
        contacts: [{ profile: { name: 'Ana' }, ...contact }],
        messages: [{ id, timestamp: '1793000000', type: 'text', text: { body: 'Hi' }, ...from }],
      },
    });
  const arrives = (table: string) =>
    eventually(async () => (await app.db.pool.query(`select from ${table}`)).rows.length > 0);
  // A thread by the phone alone is what the other one becomes part of.
  await report('wamid.phone', { wa_id }, { from: wa_id });
  await report('wamid.hidden', { user_id }, { from_user_id: user_id });
  await arrives(`message_states where network_id in ('wamid.phone', 'wamid.hidden') offset 1`);
  await report('wamid.both', { wa_id, user_id }, { from: wa_id, from_user_id: user_id });
  await arrives('identity_merges');
  const [was, is] = ['14155550156', '14155550157'];
  const body = `User Bo changed from ${was} to ${is}`;
  const system = { type: 'user_changed_number', body, wa_id: is };
  await report('wamid.changed', {}, { from: was, type: 'system', system });
  await arrives('former_phones');
}

/** @returns the secret of the webhook */
async function addWebhook(owner: TestMember, url: string): Promise<string> {
  const { event_types: events } = done(await owner.call('GET', '/webhook'));
  return done(await owner.call('PUT', '/webhook', { on: true, url, events })).secret;
}

function done({ status, body }: TestResponse) {
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}

/** Invites a person. Another one has a second factor, and has entered only the password. */
async function addPeople(app: TestApp, shop: TestTenant, owner: TestMember) {
  await inviteMember(app.services, shop.id, { email: 'grace@example.com', byOperator: false });
  const careful = await signIn(app, shop, 'staff');
  const { password } = careful;
  done(await post(app, '/auth/two-factor/enable', { password }, careful.cookie));
  await app.db.pool.query(`
    update auth."user" set "twoFactorEnabled" = true
    where "id" in (select "userId" from auth."twoFactor")`);
  await openSession(app, careful.email, password);
  await openSession(app, owner.email, owner.password);
}

async function make(shop: TestTenant, path: string, body: object): Promise<number> {
  return done(await shop.call('POST', path, body)).id;
}

/** Creates a contact with every label, and one whose phone changes. */
async function addContacts(shop: TestTenant) {
  await make(shop, '/contacts', {
    ...ada,
    email: 'ada@example.com',
    status_id: await make(shop, '/statuses', status),
    source_id: await make(shop, '/sources', { name: 'Web shop' }),
    group_ids: [await make(shop, '/groups', { name: 'Newsletter' })],
  });
  const id = await make(shop, '/contacts', { firstname: 'Zoë', phone: '+4915123456789' });
  done(await shop.call('PUT', `/contacts/${id}`, { phone: '+4915123456780' }));
}

async function addFileAndBulkChange(app: TestApp, shop: TestTenant, owner: TestMember) {
  const headers = { ...sameOrigin, cookie: owner.cookie, 'content-type': 'text/csv' };
  const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=people.csv`;
  await call(app, 'POST', path, 'name,phone\nGrace,+14155550177\nNobody,none\n', headers);
  await eventually(async () => {
    const { data } = (await owner.call('GET', '/contacts/imports')).body;
    return data[0].state === 'done';
  });
  const { data } = (await shop.call('GET', '/groups')).body;
  done(
    await owner.call('POST', '/contacts/bulk', {
      filter: { search: 'grace' },
      change: { add_group_id: data[0].id },
    }),
  );
  await changeAllContacts(app.services);
}

/** @returns the network's id of a message with an Idempotency-Key */
async function talk(app: TestApp, shop: TestTenant): Promise<string> {
  await testBot(app, shop, bot);
  const file = { filename: 'hours.txt', type: 'text/plain', bytes: Buffer.from('From 9 to 5.') };
  done(await shop.call('POST', '/media', formOf(['type', 'document'], ['file', file]), formType));
  await write(app, shop, ada.phone.slice(1), 'What are your hours?');
  await eventually(async () => (await answersOf(app, shop))[0]?.state === 'sent');
  const sent = done(await shop.call('POST', '/messages/send', retried.body, retried.headers));
  await eventually(async () => {
    const { status } = done(await shop.call('GET', `/messages/${sent.message_id}`));
    return status === 'delivered';
  });
  return sent.message_id;
}

async function addStore(app: TestApp, shop: TestTenant): Promise<number> {
  const store = await testStore(app, shop, { secret: 'the secret before' });
  await changeKeys(app.services, store, { secret });
  await mapTopic(app.db, shop.id, store.id, 'order.created', {
    contact: { mode: 'automatic' },
    template: {
      name: 'order_update',
      language: 'en',
      fields: [{ path: 'number' }, { path: 'total' }, { path: 'line_items.*.name' }],
      only_if: { path: 'status', values: ['processing'] },
    },
  });
  await sendWoo(app, store, 'order.created', fixture('woocommerce-order.json'));
  return store.id;
}

/** Keeps a file of a message. Its copy is not part of the dump. */
async function keepFile(app: TestApp, shop: TestTenant) {
  await updateTenant(app.db, shop.id, { keep_files_days: 30 });
  const stop = startKeeping({ ...app.services, numbers: createNumberFinder(app.services) });
  const phone = ada.phone.slice(1);
  const address = `${app.simulator.url}/simulator/phones/${phone}/media`;
  const query = `phone_number_id=${shop.number.phone_number_id}&filename=note.txt`;
  await fetch(`${address}?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'Ring the bell twice.',
  });
  await eventually(async () => {
    const { rows } = await app.db.pool.query('select from kept_files where kept_at is not null');
    return rows.length > 0;
  });
  await stop();
}

/** Leaves work that background jobs have not done yet. */
async function leaveWork(app: TestApp, shop: TestTenant) {
  const deleteWithMessage = async (phone: string) => {
    const id = await make(shop, '/contacts', { firstname: 'Gone', phone });
    await make(shop, '/messages/send', { type: 'text', phone_number: phone, message: 'Goodbye.' });
    done(await shop.call('DELETE', `/contacts/${id}`));
  };
  // The counts of the first one's message, and the conversation of the second one.
  await deleteWithMessage('+14155550188');
  await purgeConversations(app.db);
  await deleteWithMessage('+14155550199');
  await app.db.query(sql`
    insert into rejected_events (tenant_id, id, created_at, event, data, error)
    values (${shop.id}, nextval('event_ids'), now(), 'message.sent', '{}', 'bigint out of range')`);
  await countUnconnected(app.db, shop.id, [
    { phoneNumberId: '404404404', displayPhoneNumber: '14155550144', reports: 1 },
  ]);
  await make(shop, '/contacts', { firstname: 'Margaret', phone: '+14155550166' });
  done(await shop.call('GET', '/contacts'));
  const moving = await app.tenant({ number: false });
  await app.db.query(sql`
    insert into tenant_moves (tenant_id, id, state, other_cell)
    values (${moving.id}, 1, 'copying', 'eu2')`);
  await createRateMover(app.db)({ tenantId: shop.id, limited: '1', movedMs: 100 });
}
