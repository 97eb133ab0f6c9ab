import sql, { type Sql } from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventuallyHolds } from '../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { write } from '../../test/features/bots.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { misbehave } from '../../test/servers/control.ts';
import { unsetLabels } from '../labels/unset-labels.ts';
import { purgeConversations } from '../messages/erasing/purge-conversations.ts';
import { completeSends } from '../messages/sending/write-sends.ts';
import type { Db } from '../platform/database/database.ts';
import { updateTenant } from '../tenants/queries.ts';
import { createToken } from '../tenants/tokens/create-token.ts';
import { revokeToken } from '../tenants/tokens/revoke-token.ts';
import { insertToken } from '../tenants/tokens/token-queries.ts';
import { expandBatches } from '../webhooks/delivering/expand-batches.ts';
import { addEndpoint } from '../webhooks/endpoints/add-endpoint.ts';
import { eventIdOf } from './event-id.ts';
import { createEventCursors } from './log/event-cursors.ts';
import { pruneEvents } from './log/prune-events.ts';
import { createEventReader, loggedSelectors } from './log/read-events.ts';
import { createEventWaiter } from './log/wait-for-events.ts';
import { startPublishing } from './publishing/start-publishing.ts';

const app = testApp();
let stop: () => Promise<void>;
beforeAll(() => {
  stop = startPublishing(app.services);
});
afterAll(() => stop());

type Event = { id: string; event: string; created_at: string; data: Record<string, unknown> };

/** Reads events until there are at least `count`, as a program does that follows the cursor. */
async function follow(shop: TestTenant, count: number, after = '', query = '&types=message.*') {
  const events: Event[] = [];
  let next = after;
  do {
    const from = next === '' ? '' : `&after=${next}`;
    const { status, body } = await shop.call('GET', `/events?wait=5${from}${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    events.push(...body.data);
    next = body.pagination.next;
  } while (events.length < count);
  return { events, next };
}

function sendTo(shop: TestTenant, phone: string) {
  return shop.call('POST', '/messages/send', { phone_number: phone, type: 'text', message: 'Hi' });
}

test('every state of a conversation’s messages is one event, numbered, with the record of that state', async () => {
  const shop = await app.tenant({ delivers: true });
  const sent = await sendTo(shop, '+14155550123');
  await follow(shop, 2);
  await write(app, shop, '14155550123', 'Hello');
  await follow(shop, 3);
  await sendTo(shop, '+14155550124');
  const { events } = await follow(shop, 5);
  const shown = events.map(({ event, data }) => [event, data.phone_number, data.sequence]);
  expect(shown).toEqual([
    ['message.sent', '+14155550123', 1],
    ['message.delivered', '+14155550123', 2],
    ['message.received', '+14155550123', 3],
    ['message.sent', '+14155550124', 1],
    ['message.delivered', '+14155550124', 2],
  ]);
  const [first, second, inbound] = events;
  expect(first).toMatchObject({
    id: expect.stringMatching(/^evt_\d+_[0-9a-z]+$/),
    data: { id: sent.body.data.id, direction: 'out', status: 'sent', delivered_at: null },
  });
  expect(second!.data).toMatchObject({ id: sent.body.data.id, status: 'delivered' });
  expect(inbound!.data).toMatchObject({ direction: 'in', status: 'received', type: 'text' });
  expect(new Set(events.map(({ id }) => id)).size).toBe(5);
});

test('a conversation counts from 1 again after its contact was deleted', async () => {
  const shop = await app.tenant();
  const sequences = async (from: string) => {
    await write(app, shop, '14155550123', 'Hello');
    const { events, next } = await follow(shop, 1, from, '&types=message.received');
    return { sequences: events.map(({ data }) => data.sequence), next };
  };
  const first = await sequences('');
  const second = await sequences(first.next);
  const [contact] = (await shop.call('GET', '/contacts')).body.data;
  await shop.call('DELETE', `/contacts/${contact.id}`);
  await purgeConversations(app.db);
  const third = await sequences(second.next);
  expect([first, second, third].map((each) => each.sequences)).toEqual([[1], [2], [1]]);
});

test('events of messages that were deleted with their contact are left out, those of the contact stay, and cursors too', async () => {
  const shop = await app.tenant();
  await write(app, shop, '14155550123', 'Private');
  await write(app, shop, '14155550124', 'Of another');
  const before = await follow(shop, 2);
  const { data } = (await shop.call('GET', '/contacts')).body;
  const { id } = data.find(({ phone }: { phone: string }) => phone === '+14155550123');
  await shop.call('DELETE', `/contacts/${id}`);
  const read = async () => {
    const { body } = await shop.call('GET', '/events?types=message.*');
    return body;
  };
  const phonesOf = (events: Event[]) => events.map((each) => each.data.phone_number);
  expect(phonesOf((await read()).data)).toEqual(['+14155550124']);
  await purgeConversations(app.db);
  expect(phonesOf((await read()).data)).toEqual(['+14155550124']);
  // The first page of one event is empty, because its message is gone.
  const again = await follow(shop, 1, '', '&limit=1&types=message.*');
  expect(phonesOf(again.events)).toEqual(['+14155550124']);
  await eventuallyHolds(async () => {
    const { body } = await shop.call('GET', '/events?types=contact.*');
    expect(body.data.map(({ event, data }: Event) => [event, data.phone])).toEqual([
      ['contact.created', '+14155550123'],
      ['contact.created', '+14155550124'],
      ['contact.deleted', '+14155550123'],
    ]);
  });
  await write(app, shop, '14155550124', 'Later');
  expect((await follow(shop, 1, before.next)).events).toHaveLength(1);
});

test('a reader misses nothing and waits for nobody while a transaction stays open', async () => {
  const shop = await app.tenant();
  await misbehave(app, shop, { callbacks: false });
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    select ${shop.id}, ${shop.number.id}, 'out', phone, 'text', '{}', 'accepting'
    from unnest(array['+14155550130', '+14155550131']) as phone
    returning id`);
  const open = await holdLocks(app, 'select');
  for (const { id } of rows) {
    const outcome = { networkId: `wamid.open.${id}`, error: null, refunded: false };
    await completeSends(open as unknown as Db, [
      { tenantId: shop.id, id, status: 'sent', ...outcome },
    ]);
  }
  await sendTo(shop, '+14155550132');
  const before = await follow(shop, 1);
  await sendTo(shop, '+14155550133');
  const during = await follow(shop, 1, before.next);
  await open.query('commit');
  const after = await follow(shop, 2, during.next);
  const phones = [before, during, after].map(({ events }) =>
    events.map(({ data }) => data.phone_number),
  );
  expect(phones).toEqual([['+14155550132'], ['+14155550133'], ['+14155550130', '+14155550131']]);
  // The order in which they were recorded is another one.
  const ids = [before, after].map(({ events }) => Number(events[0]!.id.split('_')[1]));
  expect(ids[1]).toBeLessThan(ids[0]!);
  // From the beginning, and in pages of one, it is the same.
  const again = await follow(shop, 4, '', '&limit=1&types=message.*');
  expect(again.events.map(({ data }) => data.phone_number)).toEqual(phones.flat());
});

test('events of records are in the log as endpoints get them, single and in bulk, and reads if an endpoint gets them', async () => {
  const shop = await app.tenant();
  const { data: contact } = (
    await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' })
  ).body;
  const { data: status } = (await shop.call('POST', '/statuses', { name: 'Lead' })).body;
  const change = { status_id: status.id };
  const { data: changed } = (await shop.call('PUT', `/contacts/${contact.id}`, change)).body;
  await shop.call('GET', `/contacts/${contact.id}`);
  const { events, next } = await follow(shop, 3, '', '');
  expect(events.map(({ event, data }) => [event, data])).toEqual([
    ['contact.created', contact],
    ['status.created', status],
    ['contact.updated', changed],
  ]);

  await addEndpoint(app.services, shop.id, { name: 'all', url: `${app.simulator.url}/nowhere` });
  await shop.call('GET', `/contacts/${contact.id}`);
  await shop.call('GET', '/contacts');
  await expandBatches(app.db.batched, 10);
  await shop.call('DELETE', `/statuses/${status.id}`);
  await unsetLabels(app.services, { isStopping: () => false });
  await expandBatches(app.db.batched, 10);
  const more = await follow(shop, 4, next, '');
  expect(more.events.map(({ event }) => event)).toEqual([
    'contact.read',
    'contact.read',
    'status.deleted',
    'contact.updated',
  ]);
  const { rows } = await app.db.query<{ body: string; event_id: number; created_at: Date }>(sql`
    select body, event_id, created_at from deliveries where tenant_id = ${shop.id} order by event_id`);
  expect(rows.map(({ body }) => JSON.parse(body))).toEqual(
    more.events.map(({ event, data }) => ({ event, data })),
  );
  const ids = rows.map((row) => eventIdOf({ id: row.event_id, createdAt: row.created_at }));
  expect(more.events.map(({ id }) => id)).toEqual(ids);
});

test('a reader gets the types that it asks for, and continues behind the others', async () => {
  const shop = await app.tenant({ delivers: true });
  await sendTo(shop, '+14155550123');
  await follow(shop, 2);
  const { events, next } = await follow(shop, 1, '', '&types=message.delivered,contact.*');
  expect(events.map(({ event }) => event)).toEqual(['message.delivered']);
  const rest = await shop.call('GET', `/events?after=${next}`);
  expect(rest.body).toMatchObject({ data: [], pagination: { next } });
});

test('a page of long events is cut, and the next one continues without a gap', async () => {
  const shop = await app.tenant();
  const long = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`key_${n}`, '漢'.repeat(500)]),
  );
  const phones = Array.from({ length: 30 }, (_, n) => `+${14155550100 + n}`);
  for (const phone of phones) {
    const contact = { firstname: 'Ana', phone, metadata: long };
    const { status, body } = await shop.call('POST', '/contacts', contact);
    expect(status, JSON.stringify(body)).toBe(200);
  }
  await follow(shop, phones.length, '', '&types=contact.created');
  const read: string[] = [];
  const lengths: number[] = [];
  for (let after = ''; read.length < phones.length; ) {
    const query = `limit=500&types=contact.created${after && `&after=${after}`}`;
    const { status, body } = await shop.call('GET', `/events?${query}`);
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(0);
    lengths.push(Buffer.byteLength(JSON.stringify(body)));
    read.push(...body.data.map(({ data }: Event) => data.phone));
    after = body.pagination.next;
  }
  expect(read).toEqual(phones);
  expect(Math.max(...lengths)).toBeLessThan(1.2e6);
});

test('a reader that waits is woken by the event, and all that wait share a statement a second', async () => {
  const shop = await app.tenant();
  const waiting = follow(shop, 1);
  await write(app, shop, '14155550123', 'Hello');
  expect((await waiting).events).toMatchObject([{ event: 'message.received' }]);

  let statements = 0;
  const batched: Db = {
    query: (...given) => {
      statements++;
      return app.db.batched.query(...given);
    },
  };
  const waiter = createEventWaiter({ ...app.services, db: { ...app.db, batched } });
  const heard = await waiter.listen();
  const { signal } = new AbortController();
  const ends = Array.from({ length: 1_000 }, (_, index) =>
    waiter.wait({ tenantId: 1_000_000 + (index % 100), after: 0, heard }, 2_500, signal),
  );
  await Promise.all(ends);
  // However long the machine takes, it is not one for each.
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThan(4);
});

test('readers that wait get a cursor when they leave, and when the service stops', async () => {
  const shop = await app.tenant();
  const waiter = createEventWaiter(app.services);
  const readEvents = createEventReader(waiter, app.services.vault);
  const client = new AbortController();
  const read = (signal: AbortSignal) => {
    const asked = { after: undefined, types: undefined, limit: 10, waitMs: 600_000, signal };
    return readEvents(app.db.batched, shop.id, asked);
  };
  const left = read(client.signal);
  const stopped = read(new AbortController().signal);
  client.abort();
  const noEvents = { entries: [], next: expect.any(String) };
  expect(await left).toEqual(noEvents);
  waiter.close();
  expect(await stopped).toEqual(noEvents);
});

test('a token that is revoked while its request waits gets no event', async () => {
  const shop = await app.tenant();
  await write(app, shop, '14155550123', 'Hello');
  await follow(shop, 1);
  const open = await holdLocks(app, 'lock table event_logs in access exclusive mode');
  const waiting = shop.call('GET', '/events');
  await lockWaiters(app, { like: '%begins_after%' });
  await revokeToken(app.db, shop.id, shop.tokenId);
  await app.moveClock(1_000);
  await open.query('commit');
  expect((await waiting).status).toBe(401);
});

test('each tenant reads its own events only', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  await write(app, shop, '14155550123', 'Hello');
  const { next } = await follow(shop, 1);
  expect((await other.call('GET', '/events')).body.data).toEqual([]);
  const { status, body } = await other.call('GET', `/events?after=${next}`);
  expect(status).toBe(422);
  expect(body).toMatchObject({ code: 'validation_failed', errors: { after: expect.anything() } });
});

test('what is not valid is refused', async () => {
  const shop = await app.tenant();
  const known = loggedSelectors.join(', ');
  for (const phone of ['+14155550123', '+14155550124']) {
    await shop.call('POST', '/contacts', { firstname: 'Ada', phone });
  }
  const { body: contacts } = await shop.call('GET', '/contacts?per_page=1');
  const notOfList =
    'must be the `next` of an earlier response to this request, with the same parameters';
  const cases: [query: string, field: string, message: string][] = [
    ['types=message.lost', 'types', `must not have "message.lost". The events are ${known}`],
    [
      'types=message.received_batch',
      'types',
      `must not have "message.received_batch". The events are ${known}`,
    ],
    ['types=order.*', 'types', `must not have "order.*". The events are ${known}`],
    ['types=', 'types', `must not have "". The events are ${known}`],
    ['after=', 'after', notOfList],
    ['after=12', 'after', notOfList],
    [`after=${contacts.pagination.next}`, 'after', notOfList],
    ['limit=501', 'limit', 'must be an integer from 1 to 500'],
    ['limit=0', 'limit', 'must be an integer from 1 to 500'],
    ['wait=26', 'wait', 'must be an integer from 0 to 25'],
    ['wait=1.5', 'wait', 'must be an integer'],
    [
      'type=message.sent',
      'type',
      'is not a parameter of this list, which takes after, types, limit and wait',
    ],
  ];
  for (const [query, field, message] of cases) {
    const { status, body } = await shop.call('GET', `/events?${query}`);
    expect([status, body.errors], query).toEqual([422, { [field]: [message] }]);
  }
  expect((await shop.call('GET', '/events', undefined, { authorization: '' })).status).toBe(401);
  const sender = await app.tenant({ abilities: ['messages:text'] });
  expect((await sender.call('GET', '/events')).status).toBe(403);
});

test('a cursor expires with the events after it, and the response names the oldest that works', async () => {
  const shop = await app.tenant();
  const start = (await shop.call('GET', '/events')).body.pagination.next;
  await write(app, shop, '14155550123', 'Old');
  const old = await follow(shop, 1);
  await app.moveClock(8 * 86_400_000);
  await write(app, shop, '14155550123', 'New');
  await follow(shop, 1, old.next);
  await pruneEvents(app.services);

  const expired = await shop.call('GET', `/events?after=${start}`);
  expect(expired.status).toBe(422);
  expect(expired.body).toMatchObject({ code: 'cursor_expired', data: { oldest: old.next } });
  // The event after it is still there, so nothing was missed.
  expect((await follow(shop, 1, expired.body.data.oldest)).events).toHaveLength(1);
  expect((await follow(shop, 1)).events).toHaveLength(1);
});

test('events are kept no longer than the messages of their tenant', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const start = (await shop.call('GET', '/events')).body.pagination.next;
  for (const each of [shop, other]) {
    await write(app, each, '14155550123', 'Hello');
    await follow(each, 1);
  }
  await updateTenant(app.db, shop.id, { message_retention_days: 1 });
  await app.moveClock(2 * 86_400_000);
  await pruneEvents(app.services);
  const { status, body } = await shop.call('GET', `/events?after=${start}`);
  expect([status, body.code]).toEqual([422, 'cursor_expired']);
  expect((await shop.call('GET', '/events')).body.data).toEqual([]);
  expect((await follow(other, 1)).events).toHaveLength(1);
});

test('a cursor from before the database was restored has expired', async () => {
  const shop = await app.tenant();
  await write(app, shop, '14155550123', 'Hello');
  await follow(shop, 1);
  const after = createEventCursors(app.services.vault).write(shop.id, 10 ** 9);
  const expired = await shop.call('GET', `/events?after=${after}`);
  expect([expired.status, expired.body.code]).toEqual([422, 'cursor_expired']);
  expect((await follow(shop, 1, expired.body.data.oldest)).events).toHaveLength(1);
});

test('a log above its quota loses its oldest events, and no more than that', async () => {
  const shop = await app.tenant();
  const start = (await shop.call('GET', '/events')).body.pagination.next;
  await write(app, shop, '14155550123', 'Hello');
  await follow(shop, 1);
  const measure = async () => {
    const { rows } = await app.db.query<{ kept_bytes: number; bytes: number; count: number }>(sql`
      select (select kept_bytes from event_logs where tenant_id = ${shop.id}),
             sum(octet_length(data)) as bytes, count(*)
      from events where tenant_id = ${shop.id}`);
    const { kept_bytes, bytes, count } = rows[0]!;
    expect(kept_bytes).toBe(bytes);
    return { bytes, count };
  };
  expect((await measure()).bytes).toBeGreaterThan(0);
  await app.db.query(sql`
    insert into events (tenant_id, position, id, created_at, event, data)
    select ${shop.id}, nextval('event_positions'), n, now(), 'contact.deleted',
           format('{"id": 1%s}', repeat(' ', 2000))
    from generate_series(1000, 2200) as n`);
  await app.db.query(sql`
    update event_logs set kept_bytes = (
      select sum(octet_length(data)) from events where events.tenant_id = ${shop.id})
    where tenant_id = ${shop.id}`);
  const all = await measure();
  const config = { ...app.services.config, deliveryQuotaMegabytes: 2 };
  await pruneEvents({ ...app.services, config });
  // A chunk of 500 is deleted as a whole.
  const left = await measure();
  expect(left.count).toBe(all.count - 500);
  await pruneEvents({ ...app.services, config });
  expect(await measure()).toEqual(left);
  const expired = await shop.call('GET', `/events?after=${start}`);
  expect([expired.status, expired.body.code]).toEqual([422, 'cursor_expired']);
  const oldest = await shop.call('GET', `/events?after=${expired.body.data.oldest}&limit=1`);
  expect([oldest.status, oldest.body.data.length]).toEqual([200, 1]);
});

test('a program whose token has expired goes on with a new one, and misses nothing', async () => {
  const shop = await app.tenant();
  await write(app, shop, '14155550123', 'Read');
  const { next } = await follow(shop, 1);
  await write(app, shop, '14155550123', 'Not read yet');
  await follow(shop, 1, next);
  const setEnd = (end: Sql) =>
    app.db.query(sql`
    update tokens set ${end} where tenant_id = ${shop.id} and id = ${shop.tokenId}`);
  await setEnd(sql`expires_at = now() - interval '1 second'`);
  await pruneEvents(app.services);
  await write(app, shop, '14155550123', 'Written while no token was valid');
  await setEnd(sql`expires_at = now() + interval '1 day'`);
  expect((await follow(shop, 2, next)).events).toMatchObject([
    { data: { content: { text: 'Not read yet' } } },
    { data: { content: { text: 'Written while no token was valid' } } },
  ]);
});

test('a log that no token could read for a week ends, and cursors from before a new one have expired', async () => {
  const shop = await app.tenant();
  await write(app, shop, '14155550123', 'Hello');
  const { next } = await follow(shop, 1);
  await app.db.query(sql`
    update tokens set revoked_at = now() - interval '8 days'
    where tenant_id = ${shop.id} and id = ${shop.tokenId}`);
  await pruneEvents(app.services);
  const { rows } = await app.db.query(sql`select from events where tenant_id = ${shop.id}`);
  expect(rows).toEqual([]);
  await write(app, shop, '14155550123', 'Nobody listens');
  await app.db.query(sql`
    update tokens set revoked_at = null where tenant_id = ${shop.id} and id = ${shop.tokenId}`);

  await createToken(app.db, shop.id, { name: 'reader', abilities: ['events:read'], active: true });
  const { status, body } = await shop.call('GET', `/events?after=${next}`);
  expect([status, body.code]).toEqual([422, 'cursor_expired']);
  expect((await shop.call('GET', '/events')).body.data).toEqual([]);
});

test('a log that was ended while its first token was being created begins again', async () => {
  const shop = await app.tenant();
  await app.db.query(
    sql`update tokens set revoked_at = now() - interval '8 days' where id = ${shop.tokenId}`,
  );
  const open = await holdLocks(app, 'select');
  const hash = Buffer.alloc(32, 1);
  await insertToken(
    open as unknown as Db,
    shop.id,
    { name: 'new', hash, hint: '', abilities: ['events:read'], expiresAt: null, active: true },
    null,
  );
  await pruneEvents(app.services);
  await open.query('commit');
  await app.db.query(sql`update tokens set revoked_at = null where id = ${shop.tokenId}`);
  await pruneEvents(app.services);
  await write(app, shop, '14155550123', 'Hello');
  expect((await follow(shop, 1)).events).toMatchObject([{ event: 'message.received' }]);
});
