import type pg from 'pg';
import { expect, test } from 'vitest';
import { control, eventually, misbehave, type TestTenant, testApp } from '../../../test/app.ts';
import { settleAbandoned } from '../sending/settle-abandoned.ts';
import {
  conversationChannel,
  readConversationChange,
  watchConversations,
} from './conversation-changes.ts';

const app = testApp();

test('whoever watches is told of what is sent and received, and nobody else costs a notification', async () => {
  const watched = await app.tenant();
  const other = await app.tenant();
  const told: string[] = [];
  await app.db.listen(conversationChannel, (payload) => {
    const change = readConversationChange(payload);
    if (change) told.push(`${change.tenantId} ${change.phones}`);
  });
  await watchConversations(app.db, watched.id, 60_000);

  await sendAndReceive(other, '+14155550101');
  await sendAndReceive(watched, '+14155550102');
  // In the order of commits, so what was told of the other would have been here by now.
  await eventually(async () => told.length >= 2);
  expect(new Set(told)).toEqual(new Set([`${watched.id} +14155550102`]));

  await app.db.pool.query('update conversation_watches set until = now()');
  await sendAndReceive(watched, '+14155550103');
  await watchConversations(app.db, other.id, 60_000);
  await sendAndReceive(other, '+14155550104');
  await eventually(async () => told.includes(`${other.id} +14155550104`));
  expect(told).not.toContain(`${watched.id} +14155550103`);
});

test('whoever watches is told of each send, also of those that end as others begin', async () => {
  const shop = await app.tenant();
  // The network's word on them would be told too.
  await misbehave(app, shop, { callbacks: false });
  const told = new Set<string>();
  await app.db.listen(conversationChannel, (payload) => told.add(payload));
  await watchConversations(app.db, shop.id, 60_000);
  const phones = Array.from({ length: 60 }, (_, index) => `+141555502${10 + index}`);
  const expected = phones.map((phone) => `${shop.id} ${phone}`);
  const sendNext = async (): Promise<void> => {
    const phone_number = phones.pop();
    if (phone_number === undefined) return;
    const text = { type: 'text', message: 'Hello', phone_number };
    expect((await shop.call('POST', '/messages/send', text)).status).toBe(200);
    await sendNext();
  };
  await Promise.all(Array.from({ length: 10 }, sendNext));
  await eventually(async () => expected.every((each) => told.has(each)));
  expect(await namesOfBatched()).toContain('begin-and-end-sends');
});

test('whoever watches is told of a send that was given up', async () => {
  const shop = await app.tenant();
  const told: string[] = [];
  await app.db.listen(conversationChannel, (payload) => told.push(payload));
  await watchConversations(app.db, shop.id, 60_000);
  await app.db.pool.query(
    `insert into messages (tenant_id, number_id, direction, phone, kind, content, status)
     select $1, $2, 'out', '+14155550101', 'text', '{"text":"Hello"}', 'accepting'
     from generate_series(1, 2)`,
    [shop.id, shop.number.id],
  );
  expect(await settleAbandoned(app.db, 0)).toBe(2);
  await eventually(async () => told.includes(`${shop.id} +14155550101`));
});

test('a watch is never shortened', async () => {
  const shop = await app.tenant();
  await watchConversations(app.db, shop.id, 60_000);
  await watchConversations(app.db, shop.id, 1);
  const { rows } = await app.db.pool.query(
    `select until > now() + interval '30 s' as lasts from conversation_watches where tenant_id = $1`,
    [shop.id],
  );
  expect(rows).toEqual([{ lasts: true }]);
});

/** Of the statements that the connections of batches have run. */
async function namesOfBatched(): Promise<string[]> {
  const pool = app.db.batched as unknown as pg.Pool;
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const names: string[] = [];
  for (const client of clients) {
    const { rows } = await client.query('select name from pg_prepared_statements');
    names.push(...rows.map(({ name }) => name));
    client.release();
  }
  return names;
}

/** A text out and one in, both written down when it resolves. */
async function sendAndReceive(shop: TestTenant, phone: string): Promise<void> {
  const sent = await shop.call('POST', '/messages/send', {
    phone_number: phone,
    type: 'text',
    message: 'Hello',
  });
  expect(sent.status).toBe(200);
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from: phone,
    text: 'Hello back',
  });
  await eventually(async () => {
    const { rows } = await app.db.pool.query(
      `select from messages where tenant_id = $1 and phone = $2 and direction = 'in'`,
      [shop.id, phone],
    );
    return rows.length === 1;
  });
}
