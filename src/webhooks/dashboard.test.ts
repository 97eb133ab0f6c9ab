import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { signIn } from '../../test/features/sign-in.ts';
import { testApp } from '../../test/program/app.ts';
import { setWebhook } from './set-webhook.ts';

const app = testApp();

async function openShop() {
  const shop = await app.tenant();
  await setWebhook(app.services, shop.id, { url: 'https://hooks.example.com/' });
  return { shop, owner: await signIn(app, shop) };
}

test('the log of deliveries is paged without gaps, even if many have the same time', async () => {
  const { shop, owner } = await openShop();
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state, created_at)
    select ${shop.id}, 'contact.created', '{}', 'delivered',
           timestamptz '2026-11-21T10:00:00.123456Z' + n / 25 * interval '1 microsecond'
    from generate_series(1, 100) as n`);
  const seen: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after && `?after=${after}`;
    const { status, body } = await owner.call('GET', `/webhook/deliveries${query}`);
    expect(status).toBe(200);
    seen.push(...body.data.deliveries.map(({ id }: { id: number }) => id));
    after = body.data.after;
  }
  expect(seen).toHaveLength(100);
  expect(seen).toEqual(seen.toSorted((a, b) => b - a));
});

test('deliveries that wait for a later attempt are made due by one request', async () => {
  const { shop, owner } = await openShop();
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, due_at)
    select ${shop.id}, 'contact.created', '{}', now() + n * interval '10 hours'
    from generate_series(0, 2) as n`);
  const redelivery = { failed: true, waiting: true };
  const { body } = await owner.call('POST', '/webhook/redeliver', redelivery);
  expect(body.data).toEqual({ deliveries: 2 });
});

test.each([
  ['GET', '/webhook/deliveries?since=2026-12-31T23:59:60Z', undefined, 422],
  ['GET', '/webhook/deliveries?since=2026-12-31T23:59:00%2B01', undefined, 422],
  ['GET', '/webhook/deliveries?until=yesterday', undefined, 422],
  ['GET', '/webhook/deliveries?after=1_9999999999', undefined, 422],
  ['POST', '/webhook/redeliver', { id: 1e20 }, 422],
  ['POST', '/webhook/redeliver', { id: -1 }, 422],
  ['POST', '/webhook/redeliver', { since: '2026-12-31T23:59:60Z' }, 422],
  ['POST', '/webhook/redeliver', { until: '2026-12-31T23:59:00+01' }, 422],
] as const)('%s %s with %j returns %i', async (method, path, body, status) => {
  const { owner } = await openShop();
  const response = await owner.call(method, path, body);
  expect([response.status, response.body.success]).toEqual([status, false]);
});

test('a delivery is found by contact and message, and shows its request, signed now', async () => {
  const [{ shop, owner }, other] = [await openShop(), await openShop()];
  const { body: contact } = await shop.call('POST', '/contacts', {
    firstname: 'Ada',
    phone: '+5511987654321',
  });
  const send = async () => {
    const message = { phone_number: '+14155550123', type: 'text', message: 'Hi' };
    return (await shop.call('POST', '/messages/send', message)).body.data.message_id;
  };
  const [messageId, unreported] = [await send(), await send()];
  const data = { message_id: messageId, phone_number: '+14155550123' };
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, person)
    values (${shop.id}, 'message.sent', ${JSON.stringify({ event: 'message.sent', data })}, '+14155550123')`);
  const find = async (text: string) => {
    const path = `/webhook/deliveries?id=${encodeURIComponent(text)}`;
    const { body } = await owner.call('GET', path);
    return body.data.deliveries;
  };
  // The network leaves out a digit of Brazilian phones.
  const ofAda = `#${contact.data.id}`;
  for (const text of ['+55 11 98765-4321', '+551187654321', ofAda]) {
    expect(await find(text)).toMatchObject([
      {
        event: 'contact.created',
        subject: { name: 'Ada', contact_id: contact.data.id },
      },
    ]);
  }
  const [sent] = await find(messageId);
  expect(sent.subject).toEqual({ name: '+14155550123', contact_id: null });
  for (const other of [unreported, 'wamid.abc', '#0', '#999999999'])
    expect(await find(other)).toEqual([]);

  expect(
    (await other.owner.call('GET', `/webhook/deliveries?id=%23${contact.data.id}`)).body.data
      .deliveries,
  ).toEqual([]);

  // An event of a message has the id of its contact, and no name.
  const ofContact = { event: 'message.read', data: { ...data, contact_id: contact.data.id } };
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, person)
    values (${shop.id}, 'message.read', ${JSON.stringify(ofContact)}, '+551187654321')`);
  const [read] = await find(ofAda);
  expect(read.subject).toEqual({ name: 'Ada', contact_id: contact.data.id });

  const { body } = await owner.call('GET', `/webhook/deliveries/${sent.id}`);
  const { url, headers, body: text } = body.data;
  expect([url, JSON.parse(text).event]).toEqual(['https://hooks.example.com/', 'message.sent']);
  const names = headers.map(({ name }: { name: string }) => name);
  expect(names).toEqual([
    'content-type',
    'user-agent',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  for (const [caller, id] of [
    [other.owner, sent.id],
    [owner, 999_999_999],
  ] as const) {
    expect((await caller.call('GET', `/webhook/deliveries/${id}`)).status).toBe(404);
  }
});
