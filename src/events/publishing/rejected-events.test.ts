import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { misbehave } from '../../../test/servers/control.ts';
import { pruneEvents } from '../log/prune-events.ts';
import { createPublisher } from './publish-events.ts';

const app = testApp();
let publish: ReturnType<typeof createPublisher>;
beforeAll(() => {
  publish = createPublisher(app.services);
});

const [goodPhone, badPhone] = ['+14155550123', '+14155550124'];

async function send(shop: TestTenant, phone: string): Promise<number> {
  const body = { phone_number: phone, type: 'text', message: 'Hi' };
  return (await shop.call('POST', '/messages/send', body)).body.data.id;
}

async function published(shop: TestTenant): Promise<number[]> {
  const { body } = await shop.call('GET', '/events?types=message.*&limit=500');
  return body.data.map(({ data }: { data: { id: number } }) => data.id);
}

test('events that PostgreSQL rejects hold up no others, and are published when the cause is fixed', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  for (const tenant of [shop, other]) await misbehave(app, tenant, { callbacks: false });
  // The next number of this conversation is no bigint.
  await app.db.query(sql`
    insert into conversation_sequences (tenant_id, person, last)
    values (${shop.id}, ${badPhone}, 9223372036854775807)`);
  const good = [await send(shop, goodPhone)];
  const bad = [await send(shop, badPhone), await send(shop, badPhone)];
  good.push(await send(shop, goodPhone));
  const ofOther = [await send(other, badPhone)];
  bad.push(await send(shop, badPhone));
  good.push(await send(shop, goodPhone));

  expect(await publish(() => false)).toBe('done');
  expect(await published(shop)).toEqual(good);
  expect(await published(other)).toEqual(ofOther);
  const { rows } = await app.db.query(sql`
    select message_id, event, error from rejected_events where tenant_id = ${shop.id} order by id`);
  const error = 'error: bigint out of range';
  expect(rows).toEqual(bad.map((id) => ({ message_id: id, event: 'message.sent', error })));
  const { values } = await app.services.metrics.rejectedEvents.get();
  expect(values).toMatchObject([{ value: 3 }]);

  await app.db.query(sql`
    update conversation_sequences set last = 0 where tenant_id = ${shop.id} and person = ${badPhone}`);
  // As docs/operating.md says.
  await app.db.query(sql`
    with fixed as (delete from rejected_events returning tenant_id, id, created_at, message_id, at, event, data)
    insert into event_outbox (tenant_id, id, created_at, message_id, at, event, data) select * from fixed`);
  await publish(() => false);
  expect(await published(shop)).toEqual([...good, ...bad]);
});

test('rejected events are kept as long as others', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`
    insert into rejected_events (tenant_id, id, created_at, event, error, rejected_at)
    select ${shop.id}, age, now(), 'message.sent', 'error', now() - age * interval '1 day'
    from unnest(array[6, 8]) as age`);
  await pruneEvents(app.services);
  const { rows } = await app.db.query(sql`
    select id from rejected_events where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ id: 6 }]);
});
