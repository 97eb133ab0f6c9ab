import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { call, type TestTenant, testApp } from '../../../test/program/app.ts';
import { control } from '../../../test/servers/control.ts';
import { completeSends } from '../sending/write-sends.ts';

const app = testApp();

const ranks = ['accepting', 'unknown', 'sent', 'failed', 'delivered', 'read'];
const reported = ['sent', 'failed', 'delivered', 'read'] as const;
type Reported = (typeof reported)[number];

type Post = { message: number; status: Reported; second: number; referenced: boolean }[];

/** The status of a message after its send: only stored, interrupted, or accepted with an id. */
type Begun = 'accepting' | 'unknown' | 'sent';

/**
 * Reports about two messages, in any order, with repeats, divided into rounds of concurrent posts.
 */
const history = fc.record({
  begun: fc.tuple(...[0, 1].map(() => fc.constantFrom<Begun>('accepting', 'unknown', 'sent'))),
  rounds: fc.array(
    fc.array(
      fc.array(
        fc.record({
          message: fc.constantFrom(0, 1),
          status: fc.constantFrom(...reported),
          second: fc.integer({ min: 0, max: 50 }),
          referenced: fc.boolean(),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    { minLength: 1, maxLength: 5 },
  ),
});

let made = 0;
const start = 1_790_000_000;

/** @param at when it was created, in seconds since 1970 */
async function insert(shop: TestTenant, status: Begun, at = start) {
  const networkId = `wamid.property${++made}`;
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status, network_id,
                                 created_at)
    values (${shop.id}, ${shop.number.id}, 'out', '+14155550123', 'text', '{}', ${status},
            ${status === 'sent' ? networkId : null}, to_timestamp(${at}::float8))
    returning id`);
  return { id: rows[0]!.id, networkId, hasNetworkId: status === 'sent' };
}

type Row = Record<string, unknown> & { id: number; status: string };

async function stored(shop: TestTenant, ids: number[]): Promise<Row[]> {
  const { rows } = await app.db.query<Row>(sql`
    select id, status, sent_at, failed_at, delivered_at, read_at, error, (
      select pricing ->> 'category' from message_states as state
      where state.tenant_id = ${shop.id} and state.message_id = stored_messages.id) as price
    from stored_messages
    where tenant_id = ${shop.id} and id = any(${ids}) order by id`);
  return rows;
}

test('whatever the order, the repeats and the batches, neither a status nor its events go backwards', async () => {
  const shop = await app.tenant();
  const secret = await appSecretOf(shop);
  await fc.assert(
    fc.asyncProperty(history, async ({ begun, rounds }) => {
      const messages = [await insert(shop, begun[0]!), await insert(shop, begun[1]!)];
      const ids = messages.map(({ id }) => id);
      let before = await stored(shop, ids);
      for (const posts of rounds) {
        await Promise.all(posts.map((post) => report(shop, secret, messages, post)));
        const after = await stored(shop, ids);
        after.forEach((row, index) => {
          expect(ranks.indexOf(row.status)).toBeGreaterThanOrEqual(
            ranks.indexOf(before[index]!.status),
          );
        });
        before = after;
      }
      expect(before).toEqual(
        messages.map((message, index) => expected(message, begun, index, rounds)),
      );
      for (const [index, row] of before.entries()) {
        const from = ranks.indexOf(begun[index]!);
        const reached = (await events(shop, row.id)).map((status) => ranks.indexOf(status));
        // Each further than the one before, up to the status that the message has.
        expect(reached).toEqual([...new Set(reached)].sort((a, b) => a - b));
        expect([from, ...reached].at(-1)).toBe(ranks.indexOf(row.status));
        expect(reached.every((rank) => rank > from)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

/** The statuses of a message that were recorded as events, in their order. */
async function events(shop: TestTenant, id: number): Promise<string[]> {
  const { rows } = await app.db.query<{ event: string }>(sql`
    select event from event_outbox where tenant_id = ${shop.id} and message_id = ${id} order by id`);
  return rows.map(({ event }) => event.replace('message.', ''));
}

/** The row that follows from all reports together. */
function expected(message: { id: number }, begun: Begun[], index: number, rounds: Post[][]) {
  const reports = rounds.flat(2).filter((each) => each.message === index);
  const first = (...statuses: Reported[]) => {
    const seconds = reports
      .filter(({ status }) => statuses.includes(status))
      .map(({ second }) => second);
    return seconds.length > 0 ? new Date((start + Math.min(...seconds)) * 1_000) : null;
  };
  const reached = [begun[index]!, ...reports.map(({ status }) => status)];
  return {
    id: message.id,
    status: reached.reduce((a, b) => (ranks.indexOf(a) >= ranks.indexOf(b) ? a : b)),
    // The network counts in seconds, so a later state may seem to be earlier.
    sent_at: first('sent') && first('sent', 'delivered', 'read', 'failed'),
    failed_at: first('failed'),
    delivered_at: first('delivered'),
    read_at: first('read'),
    price: first('delivered') ? 'utility' : first('sent') && 'marketing',
    error: first('failed') && { code: 131026, title: 'Undeliverable', details: null },
  };
}

async function report(
  shop: TestTenant,
  secret: string,
  messages: { id: number; networkId: string; hasNetworkId: boolean; tenantId?: number }[],
  post: Post,
) {
  const statuses = post.map(({ message, status, second, referenced }) => ({
    id: messages[message]!.networkId,
    status,
    timestamp: String(start + second),
    // Before its send is completed, a message can only be found by our id.
    ...((referenced || !messages[message]!.hasNetworkId) && {
      biz_opaque_callback_data: `${messages[message]!.tenantId ?? shop.id}.${messages[message]!.id}`,
    }),
    ...(status === 'sent' && { pricing: { category: 'marketing', type: 'regular' } }),
    ...(status === 'delivered' && { pricing: { category: 'utility', type: 'regular' } }),
    ...(status === 'failed' && { errors: [{ code: 131026, title: 'Undeliverable' }] }),
  }));
  const value = { metadata: { phone_number_id: shop.number.phone_number_id }, statuses };
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const path = `/whatsapp/callbacks/${shop.number.callback_id}`;
  const response = await call(app, 'POST', path, body, {
    'x-hub-signature-256': `sha256=${signature}`,
  });
  expect(response.status).toBe(200);
}

async function appSecretOf(shop: TestTenant): Promise<string> {
  const { app_secret: secret } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
  });
  return secret;
}

test.each(['before', 'after'] as const)(
  'a message is not sent before it was created, nor delivered before it was sent, with reports %s the response',
  async (order) => {
    const shop = await app.tenant();
    const secret = await appSecretOf(shop);
    const message = await insert(shop, 'accepting', start + 0.7);
    const { id, networkId } = message;
    const ofResponse = { tenantId: shop.id, id, networkId, error: null, refunded: false };
    const complete = () => completeSends(app.db.batched, [{ ...ofResponse, status: 'sent' }]);
    // The network reports them with the second of the send.
    const reports = (['delivered', 'read', 'sent'] as const).map((status) => ({
      message: 0,
      status,
      second: 0,
      referenced: true,
    }));
    if (order === 'after') await complete();
    await report(shop, secret, [message], reports.slice(0, 1));
    if (order === 'before') await complete();
    const { body } = await shop.call('GET', `/messages/id:${id}`);
    expect(body.data.timeline.map(({ status }: { status: string }) => status)).toEqual([
      'sent',
      'delivered',
    ]);
    const [{ sent_at: at } = { sent_at: null }] = await stored(shop, [id]);
    await report(shop, secret, [message], reports.slice(1));
    expect(await stored(shop, [id])).toMatchObject([
      { sent_at: at, delivered_at: at, read_at: at },
    ]);
    if (order === 'before') expect(at).toEqual(new Date((start + 0.7) * 1_000));
  },
);

test.each(['delivered', 'failed'] as const)(
  'the timestamp of a message that is sent and then %s does not go back from one lookup to the next',
  async (last) => {
    const shop = await app.tenant();
    const secret = await appSecretOf(shop);
    const now = await timeOfDatabase();
    // The network has the message and reports it before its response is here, by a clock a little behind ours.
    for (const created of [now - 1.3, now - 0.2, now]) {
      const message = await insert(shop, 'accepting', created);
      const { id, networkId } = message;
      const ofResponse = { tenantId: shop.id, id, networkId, error: null, refunded: false };
      await completeSends(app.db.batched, [{ ...ofResponse, status: 'sent' }]);
      const look = async () => (await shop.call('GET', `/messages/id:${id}`)).body.data;
      const looks = [await look()];
      for (const status of ['sent', last] as const) {
        const second = Math.floor(created) - 1 - start;
        await report(shop, secret, [message], [{ message: 0, status, second, referenced: false }]);
        looks.push(await look());
      }
      expect(looks.map(({ status }) => status)).toEqual(['sent', 'sent', last]);
      expect(new Set(looks.map(({ timestamp }) => timestamp)).size).toBe(1);
    }
  },
);

async function timeOfDatabase(): Promise<number> {
  const { rows } = await app.db.query<{ now: number }>(sql`
    select extract(epoch from now())::float8 as now`);
  return rows[0]!.now;
}

test.each(['before', 'after'] as const)(
  'a message does not fail before it was sent, with a report %s the response',
  async (order) => {
    const shop = await app.tenant();
    const secret = await appSecretOf(shop);
    const message = await insert(shop, 'accepting', start + 0.7);
    const { id, networkId } = message;
    const ofResponse = { tenantId: shop.id, id, networkId, error: null, refunded: false };
    const complete = () => completeSends(app.db.batched, [{ ...ofResponse, status: 'sent' }]);
    // The second in which the response comes has begun before it.
    const failed = { message: 0, status: 'failed' as const, second: 1, referenced: true };
    if (order === 'after') await complete();
    await report(shop, secret, [message], [failed]);
    if (order === 'before') await complete();
    const { body } = await shop.call('GET', `/messages/id:${id}`);
    expect(body.data.timeline.map(({ status }: { status: string }) => status)).toEqual([
      'sent',
      'failed',
    ]);
  },
);

test.each([
  ['alone', 1],
  ['with others', 3],
])('callbacks that overtake the network’s response are not undone by it, %s', async (_, atOnce) => {
  const shop = await app.tenant();
  const secret = await appSecretOf(shop);
  const outcomes = ['sent', 'unknown', 'failed'] as const;
  const messages = await Promise.all(outcomes.map(() => insert(shop, 'accepting')));
  const reportOf = (message: number) => ({ message, referenced: true });
  await report(
    shop,
    secret,
    messages,
    messages.flatMap((_message, index) => [
      { ...reportOf(index), status: 'sent', second: 3 },
      { ...reportOf(index), status: 'failed', second: 5 },
      { ...reportOf(index), status: 'read', second: 9 },
    ]),
  );
  const ids = messages.map(({ id }) => id);
  const before = await stored(shop, ids);
  expect(before.map(({ status }) => status)).toEqual(['read', 'read', 'read']);
  const completed = outcomes.map((status, index) => ({
    tenantId: shop.id,
    id: messages[index]!.id,
    networkId: status === 'sent' ? messages[index]!.networkId : null,
    error: status === 'failed' ? { code: 1, title: 'Late', details: null } : null,
    refunded: false,
    status,
  }));
  while (completed.length > 0) {
    await completeSends(app.db.batched, completed.splice(0, atOnce));
  }
  expect(await stored(shop, ids)).toEqual(before);
  for (const { networkId } of messages) {
    expect((await shop.call('GET', `/messages/${networkId}`)).status).toBe(200);
  }
});

test('a status with the reference of another or an inbound message changes nothing', async () => {
  const shop = await app.tenant();
  const secret = await appSecretOf(shop);
  const named = await insert(shop, 'sent');
  const received = await insert(shop, 'sent');
  await app.db.query(sql`
    update stored_messages set direction = 'in', status = 'received'
    where tenant_id = ${shop.id} and id = ${received.id}`);
  const begun = await insert(shop, 'accepting');
  // Sent by another service with the same number, under a reference of its own.
  const foreign = { ...begun, tenantId: shop.id + 1 };
  const others = [{ ...named, networkId: 'wamid.another' }, received, foreign];
  const read = { status: 'read' as const, second: 9, referenced: true };
  await report(shop, secret, others, [
    { message: 0, ...read },
    { message: 1, ...read },
    { message: 2, ...read },
  ]);
  expect(await stored(shop, [named.id, received.id, begun.id])).toMatchObject([
    { status: 'sent', read_at: null },
    { status: 'received', read_at: null },
    { status: 'accepting', read_at: null },
  ]);
});

test('a status of another service’s message with the same reference does not replace ours', async () => {
  const shop = await app.tenant();
  const secret = await appSecretOf(shop);
  // The network ids sort before and after ours.
  for (const theirs of ['wamid.another', 'wamid.zz-another']) {
    const ours = await insert(shop, 'sent');
    await report(
      shop,
      secret,
      [ours, { ...ours, networkId: theirs }],
      [
        { message: 0, status: 'delivered', second: 7, referenced: true },
        { message: 1, status: 'read', second: 8, referenced: true },
        { message: 1, status: 'failed', second: 9, referenced: true },
      ],
    );
    expect(await stored(shop, [ours.id])).toMatchObject([
      { status: 'delivered', read_at: null, failed_at: null, error: null },
    ]);
  }
});

test('a failure is reported with the code and the title of the network', async () => {
  const shop = await app.tenant();
  const secret = await appSecretOf(shop);
  const message = await insert(shop, 'sent');
  await report(
    shop,
    secret,
    [message],
    [{ message: 0, status: 'failed', second: 7, referenced: false }],
  );
  const { body } = await shop.call('GET', `/messages/${message.networkId}`);
  const at = new Date((start + 7) * 1_000).toISOString();
  expect(body.data).toEqual({
    message_id: message.networkId,
    status: 'failed',
    timestamp: at,
    id: message.id,
    reference: null,
    error: {
      code: 131026,
      title: 'Undeliverable',
      details: null,
      message: 'The phone cannot receive this message; it may not be on WhatsApp.',
      retryable: false,
    },
    timeline: [{ status: 'failed', at }],
  });
});
