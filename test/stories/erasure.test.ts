import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPublishing } from '../../src/events/publishing/start-publishing.ts';
import { purgeConversations } from '../../src/messages/erasing/purge-conversations.ts';
import { startDelivering } from '../../src/webhooks/delivering/start-delivering.ts';
import { addEndpoint } from '../../src/webhooks/endpoints/add-endpoint.ts';
import { eventually } from '../checks/eventually.ts';
import { testBot } from '../features/bots.ts';
import { signIn } from '../features/sign-in.ts';
import { processPosts, sendWoo, shopWithTemplate } from '../features/stores.ts';
import { testApp } from '../program/app.ts';
import { control } from '../servers/control.ts';
import { startReceiver } from '../servers/receiver.ts';

const app = testApp();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stops: (() => Promise<void>)[];

beforeAll(async () => {
  receiver = await startReceiver();
  stops = [startDelivering(app.services), startPublishing(app.services), processPosts(app)];
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await receiver.close();
});

/** Columns that keep an identity of a deleted contact for a while. Each is named in docs/contacts.md, "Deleting contacts". */
const allowed: Record<string, string> = {
  'deliveries.body':
    '`contact.deleted` tells the receiver to delete the contact, and can be redelivered',
  'deliveries.person': 'the same delivery',
  'events.data':
    'hidden, except for `contact.deleted`, and deleted with the oldest events of the log',
  'api_requests.path': 'the log of requests is kept for seven days',
  'idempotency_keys.answer': 'a retry gets the same response for a day',
  'former_phones.person':
    'a late callback must not give the user id to the next owner of the phone, for 90 days',
  'former_phones.phone': 'the same row',
};

const order = {
  id: 8001,
  customer_id: 7,
  total: '33.30',
  billing: {
    ...{ first_name: 'Ana', last_name: 'Payer', phone: '(415) 555-8201', country: 'US' },
    ...{ email: 'ana@example.com', city: 'Granger', company: '' },
  },
  shipping: {},
  line_items: [],
};
const [old, phone, userId] = ['14155558200', '14155558201', 'US.77128201'];

test('a deleted contact leaves no phone and no user id behind, but for what must be kept for a while', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  const owner = await signIn(app, shop);
  await testBot(app, shop, { match: 'any', reply: 'Hello.' });
  const { url } = receiver;
  const events = ['contact.*', 'message.*'];
  await addEndpoint(app.services, shop.id, { name: 'all', url, events });
  await addEndpoint(app.services, shop.id, { name: 'gathered', url, events, gatherSeconds: 60 });

  // Hidden first, then with a phone that has a conversation already, and then with another phone.
  const report = async (id: string, contact: object, message: object) => {
    const text = { id, timestamp: '1793000000', type: 'text', text: { body: 'Oi' }, ...message };
    const value = { contacts: [{ profile: { name: 'Ana' }, ...contact }], messages: [text] };
    const { phone_number_id } = shop.number;
    await control(app, 'POST', '/simulator/changes', { phone_number_id, field: 'messages', value });
    await eventually(async () => {
      const { rows } = await app.db.query(sql`
        select from message_states where tenant_id = ${shop.id} and network_id = ${id}`);
      return rows.length > 0;
    });
  };
  const user = { user_id: userId };
  await report('wamid.old', { wa_id: old }, { from: old });
  await report('wamid.hidden', user, { from_user_id: userId });
  await report('wamid.both', { wa_id: old, ...user }, { from: old, from_user_id: userId });
  const body = `User Ana changed from ${old} to ${phone}`;
  const system = { type: 'user_changed_number', body, wa_id: phone };
  await report('wamid.changed', {}, { from: old, type: 'system', system });
  await report('wamid.phone', { wa_id: phone, ...user }, { from: phone, from_user_id: userId });
  const message = { phone_number: `+${phone}`, type: 'text', message: 'Hi' };
  await shop.call('POST', '/messages/send', message, { 'idempotency-key': 'ana' });
  const post = await sendWoo(app, store, 'order.created', JSON.stringify(order));
  const [contact, ...others] = (await shop.call('GET', '/contacts')).body.data;
  expect([others, contact.phone]).toEqual([[], `+${phone}`]);

  await shop.call('GET', `/contacts?search=${phone}`);
  await eventually(async () => (await columnsWith(shop.id, [phone])).includes('api_requests.path'));

  await shop.call('DELETE', `/contacts/${contact.id}`);
  await eventually(async () => {
    await purgeConversations(app.db);
    // By then, no delivery is waiting any more.
    await app.moveClock(600_000);
    const { rows } = await app.db.query(sql`select from erasures where tenant_id = ${shop.id}`);
    return rows.length === 0;
  });
  expect(await columnsWith(shop.id, [old, phone, userId])).toEqual(Object.keys(allowed).sort());
  const replay = await owner.call('POST', `/stores/${store.id}/events/${post.id}/replay`);
  expect(replay.status).toBe(404);
});

/** Names the columns of a tenant's rows that have one of the texts. */
async function columnsWith(tenantId: number, texts: string[]): Promise<string[]> {
  const { rows: columns } = await app.db.pool.query<{
    table: string;
    column: string;
    text: string;
  }>(`
    select relname as table, attname as column,
           case when atttypid = 'bytea'::regtype then format('encode(%I, ''escape'')', attname)
                else format('%I::text', attname) end as text
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
      and atttypid not in ('bigint'::regtype, 'int'::regtype, 'timestamptz'::regtype)
      and exists (
        select from pg_attribute as owner
        where owner.attrelid = pg_class.oid and owner.attname = 'tenant_id')
    order by relname, attnum`);
  const found: string[] = [];
  for (const { table, column, text } of columns) {
    const { rows } = await app.db.pool.query(
      `select from ${table} where tenant_id = $1 and ${text} like any($2) limit 1`,
      [tenantId, texts.map((each) => `%${each}%`)],
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
