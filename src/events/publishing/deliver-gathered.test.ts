import sql from 'sql-template-tag';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { addEndpoint } from '../../webhooks/endpoints/add-endpoint.ts';
import { deliverGathered } from './deliver-gathered.ts';
import { createPublisher } from './publish-events.ts';

const app = testApp();
let publish: ReturnType<typeof createPublisher>;
beforeAll(() => {
  publish = createPublisher(app.services);
});

const [ana, bo] = ['+14155550123', '+14155550124'];

async function addGathering(shop: TestTenant): Promise<number> {
  const url = 'https://receiver.example/events';
  const settings = {
    name: 'gathered',
    url,
    events: ['message.received' as const],
    gatherSeconds: 5,
  };
  return (await addEndpoint(app.services, shop.id, settings)).webhook.id;
}

/** Stores gathered messages that are due, as the publisher does. */
async function gather(
  shop: TestTenant,
  webhookId: number,
  { person, count, bytes = 10 }: { person: string; count: number; bytes?: number },
) {
  await app.db.query(sql`
    insert into gathered_messages (tenant_id, webhook_id, person, event_id, data, due_at)
    select ${shop.id}, ${webhookId}, ${person}, number,
           json_build_object('number', number, 'text', repeat('x', ${bytes})), now()
    from generate_series(1, ${count}::int) as number`);
}

/** The numbers of the messages in each event, in the order of the events, and the longest body. */
async function deliveriesOf(shop: TestTenant, person: string) {
  const { rows } = await app.db.query<{ event_id: number; body: string }>(sql`
    select event_id, body from deliveries
    where tenant_id = ${shop.id} and person = ${person} order by event_id`);
  const numbers = rows.map(({ body }) =>
    JSON.parse(body).data.messages.map((message: { number: number }) => message.number),
  );
  const bytes = Math.max(...rows.map(({ body }) => body.length));
  return { numbers, bytes, eventIds: rows.map(({ event_id }) => event_id) };
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('many or long messages of a conversation are several events, in order and after few of another tenant', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const gathering = await addGathering(shop);
  await gather(shop, gathering, { person: ana, count: 250 });
  await gather(shop, gathering, { person: bo, count: 30, bytes: 200_000 });
  await gather(other, await addGathering(other), { person: ana, count: 2 });
  expect(await publish(() => false)).toBe('done');

  const many = await deliveriesOf(shop, ana);
  expect(many.numbers.map((each) => each.length)).toEqual([100, 100, 50]);
  expect(many.numbers.flat()).toEqual(numbersTo(250));
  const long = await deliveriesOf(shop, bo);
  expect(long.numbers.flat()).toEqual(numbersTo(30));
  expect(long.bytes).toBeLessThan(1024 * 1024 + 201_000);
  const ofOther = await deliveriesOf(other, ana);
  expect(ofOther.numbers).toEqual([[1, 2]]);
  expect(ofOther.eventIds[0]).toBeLessThan(many.eventIds[1]!);
});

test('messages that PostgreSQL refuses hold up no others, and are tried again an hour later', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  // PostgreSQL takes no parameters here.
  await app.db.pool.query(`alter table deliveries add constraint refused
    check (person <> '${ana}' or tenant_id <> ${shop.id})`);
  const allow = () => app.db.pool.query('alter table deliveries drop constraint if exists refused');
  onTestFinished(async () => {
    await allow();
  });
  const gathering = await addGathering(shop);
  await gather(shop, gathering, { person: ana, count: 2 });
  await gather(shop, gathering, { person: bo, count: 2 });
  await gather(other, await addGathering(other), { person: ana, count: 2 });
  expect(await publish(() => false)).toBe('done');
  expect((await deliveriesOf(shop, bo)).numbers).toEqual([[1, 2]]);
  expect((await deliveriesOf(other, ana)).numbers).toEqual([[1, 2]]);

  await allow();
  await publish(() => false);
  expect((await deliveriesOf(shop, ana)).numbers).toEqual([]);
  await app.moveClock(3_600_000);
  await publish(() => false);
  expect((await deliveriesOf(shop, ana)).numbers).toEqual([[1, 2]]);
});

test('messages that are not due yet are not read, however many tenants have some', async () => {
  for (const shop of [await app.tenant(), await app.tenant()]) {
    await gather(shop, await addGathering(shop), { person: ana, count: 3 });
  }
  await app.db.transaction(async (tx) => {
    await tx.query(sql`set local enable_seqscan = off`);
    await tx.query(sql`update gathered_messages set due_at = now() + interval '5 seconds'`);
    const read = async () => {
      const { rows } = await tx.query<{ rows: number }>(sql`
        select idx_tup_fetch::int as rows from pg_stat_xact_user_tables
        where relname = 'gathered_messages'`);
      return rows[0]!.rows;
    };
    const before = await read();
    expect(await deliverGathered(tx)).toBe(false);
    expect(await read()).toBe(before);
  });
  await app.db.query(sql`delete from gathered_messages`);
});
