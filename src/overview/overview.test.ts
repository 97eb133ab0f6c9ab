import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { holdLocks } from '../../test/database/locks.ts';
import { signIn, type TestMember } from '../../test/features/sign-in.ts';
import { testStore } from '../../test/features/stores.ts';
import { testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { pruneMessages } from '../messages/conversations/prune-messages.ts';
import { purgeConversations } from '../messages/erasing/purge-conversations.ts';
import type { OverviewData } from './dashboard-schema.ts';
import { rollUpMessages } from './roll-up-messages.ts';
import { deleteOldOutcomes } from './roll-up-queries.ts';

const app = testApp();
let shop: Awaited<ReturnType<typeof app.tenant>>;
let member: TestMember;

beforeEach(async () => {
  // The UTC day must not change between what is shown and what is counted.
  await moveToFreshMinute(app);
  shop = await app.tenant();
  member = await signIn(app, shop);
});

test('the outcomes of messages are exact, rolled up or not, whatever changes meanwhile', async () => {
  await addMessages(300);
  expect(await shown()).toEqual(await counted());

  await rollUpUntil(async () => (await rolledUp()) === 300);
  expect(await shown()).toEqual(await counted());

  // Some of these messages are rolled up already, others are not.
  await addMessages(100);
  await change(`status = 'delivered'`, 'id % 7 = 1');
  await change(`status = 'failed', error = '{"code":131026,"title":"Not there"}'`, 'id % 7 = 2');
  await change(`status = 'failed', error = '{"code":131049,"title":"Enough"}'`, 'id % 21 = 4');
  await change(`status = 'read'`, 'id % 14 = 1');
  await app.db.pool.query(`delete from messages where id % 10 = 3`);
  expect(await shown()).toEqual(await counted());

  await rollUpUntil(async () => {
    const { rows } = await app.db.pool.query('select from message_outcome_changes');
    return rows.length === 0;
  });
  expect(await shown()).toEqual(await counted());
});

test('charts show the last 7, 14, 30 or 90 days, and no other number of days', async () => {
  const store = await testStore(app, shop);
  await shop.call('GET', '/messages/none');
  await eventually(async () => (await member.call('GET', '/usage')).body.data.tokens.length === 1);
  const daysOf = async (query: string) => {
    const bodies = [
      (await member.call('GET', `/overview${query}`)).body.data.days,
      (await member.call('GET', `/usage${query}`)).body.data.tokens[0].days,
      (await member.call('GET', `/stores/${store.id}${query}`)).body.data.days,
    ];
    return bodies.map((days: { day: string }[]) => [days.length, days.at(-1)!.day]);
  };
  const today = app.clock.now().toISOString().slice(0, 10);
  expect(await daysOf('')).toEqual([14, 30, 30].map((days) => [days, today]));
  for (const days of [7, 14, 30, 90]) {
    expect(await daysOf(`?days=${days}`)).toEqual(Array(3).fill([days, today]));
  }
  for (const days of ['8', '0', '-7', 'many', '']) {
    const refused = await member.call('GET', `/overview?days=${days}`);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['days']]);
  }
});

test('outcomes are kept for longer than any chart shows, and then deleted', async () => {
  const age = sql`(now() at time zone 'utc')::date - day`;
  await app.db.query(sql`
    insert into message_outcomes (tenant_id, day, outcome, code, messages)
    select ${shop.id}, (now() at time zone 'utc')::date - age, 'sent', 0, 1
    from unnest(array[0, 90, 120]) as age`);
  await deleteOldOutcomes(app.db);
  const { rows } = await app.db.query<{ age: number }>(sql`
    select ${age} as age from message_outcomes where tenant_id = ${shop.id} order by age`);
  expect(rows).toEqual([{ age: 0 }, { age: 90 }]);
});

test('the message and last time of a failure stay, whichever of its messages is deleted', async () => {
  const at = new Date();
  await app.db.pool.query(
    `insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status, error,
                           created_at, failed_at)
     select $1, $2, 'out', '+14155550001', 'text', '{}', 'failed', '{"code":999999,"title":"Odd"}',
            $3, $3
     from generate_series(1, 2)`,
    [shop.id, shop.number.id, at],
  );
  await rollUpUntil(async () => (await rolledUp()) === 2);
  await app.db.pool.query(
    'delete from messages where id = (select min(id) from stored_messages where tenant_id = $1)',
    [shop.id],
  );
  await rollUpUntil(async () => (await rolledUp()) === 1);
  expect((await member.call('GET', '/overview')).body.data.failures).toEqual([
    {
      code: 999999,
      title: 'Odd',
      title_says: {
        code: 'network_problem',
        values: { network: 'other', code: '999999', words: 'Odd' },
      },
      messages: 1,
      last_at: at.toISOString(),
    },
  ]);
});

test('the roll-up waits for a message that is being inserted, and two workers count none twice', async () => {
  // The message goes to another person: two transactions cannot add messages to one conversation at the same time.
  const late = await holdLocks(app, insert(1, shop.id, shop.number.id, '+4477000'));
  await addMessages(20);
  await rollUp();
  expect(await rolledUp()).toBe(0);
  expect(await shown()).toEqual(await counted());
  await late.query('commit');
  await Promise.all([rollUp(), rollUp(), rollUp()]);
  await rollUpUntil(async () => (await rolledUp()) === 21);
  expect(await shown()).toEqual(await counted());
});

test('the messages of a deleted contact are subtracted, and the counts of a deleted tenant go with it', async () => {
  await addMessages(100);
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550001' });
  await rollUp();
  const { body } = await shop.call('GET', '/contacts?search=Ada');
  await shop.call('DELETE', `/contacts/${body.data[0].id}`);
  await purgeConversations(app.db);
  expect(await shown()).toEqual(await counted());
  await rollUp();
  expect(await shown()).toEqual(await counted());

  const other = await app.tenant();
  await app.db.pool.query(insert(10, other.id, other.number.id));
  await rollUp();
  await app.db.pool.query(
    `update stored_messages set status = 'read' where tenant_id = ${other.id}`,
  );
  await app.db.query(sql`delete from tenants where id = ${other.id}`);
  await rollUpUntil(async () => {
    const { rows } = await app.db.pool.query(`
      select from message_outcomes where tenant_id = ${other.id}
      union all select from message_outcome_changes where tenant_id = ${other.id}`);
    return rows.length === 0;
  });
});

test('messages of 60 days ago are subtracted with their contact, but not when they are deleted for their age', async () => {
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550001' });
  await app.db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status, created_at)
    select ${shop.id}, ${shop.number.id}, 'out', '+1415555000' || n, 'text', '{"text": "Hello"}', 'read',
           now() - interval '60 days'
    from generate_series(1, 3) as n`);
  await rollUp();
  const deliveredOf = async () => {
    const { days } = (await member.call('GET', '/overview?days=90')).body.data as OverviewData;
    return days.reduce((sum, { delivered }) => sum + delivered, 0);
  };
  expect(await deliveredOf()).toBe(3);
  const { body } = await shop.call('GET', '/contacts?search=Ada');
  await shop.call('DELETE', `/contacts/${body.data[0].id}`);
  await purgeConversations(app.db);
  await rollUp();
  expect(await deliveredOf()).toBe(2);
  // As a process of the previous release does during an upgrade.
  await app.db.pool.query(
    'delete from messages where id = (select min(id) from messages where tenant_id = $1)',
    [shop.id],
  );
  await rollUp();
  expect(await deliveredOf()).toBe(2);
  await pruneMessages({
    ...app.services,
    config: { ...app.services.config, messageRetentionDays: 14 },
  });
  expect((await shop.call('GET', '/messages')).body.data).toEqual([]);
  await rollUp();
  expect(await deliveredOf()).toBe(2);
});

/** Notes the newest message and the open transactions, then counts. */
async function rollUp() {
  for (let step = 0; step < 3; step++) await rollUpMessages(app.db, { settleMs: 0 });
}

/** Transactions in any database of the server, also of other tests, make the roll-up wait. */
function rollUpUntil(isDone: () => Promise<boolean>): Promise<boolean> {
  return eventually(async () => {
    await rollUp();
    return isDone();
  });
}

async function rolledUp(): Promise<number> {
  const { rows } = await app.db.pool.query<{ messages: number }>(
    `select coalesce(sum(messages), 0)::int as messages from message_outcomes
     where tenant_id = ${shop.id}`,
  );
  return rows[0]!.messages;
}

function insert(
  count: number,
  tenantId = shop.id,
  numberId = shop.number.id,
  prefix = '+1415555',
): string {
  return `
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status, error,
                          created_at)
    select ${tenantId}, ${numberId}, (case when n % 5 = 0 then 'in' else 'out' end)::message_direction,
           '${prefix}' || lpad((n % 50)::text, 4, '0'), 'text', '{"text":"Hello"}', status,
           case when status = 'failed' then '{"code":131026,"title":"Not there"}'::jsonb end,
           now() - n % 20 * interval '20 hours' - interval '5 minutes'
    from generate_series(1, ${count}) as n
    cross join lateral (select case when n % 5 = 0 then 'received'::message_status else
      (array['sent', 'delivered', 'read', 'failed', 'unknown', 'accepting']::message_status[])[1 + n % 6]
      end
    ) as known (status)`;
}

const addMessages = (count: number) => app.db.pool.query(insert(count));

const change = (what: string, which: string) =>
  app.db.pool.query(`update stored_messages set ${what} where direction = 'out' and ${which}`);

async function shown() {
  const { data }: { data: OverviewData } = (await member.call('GET', '/overview')).body;
  return {
    days: data.days.filter(({ day: _, ...counts }) => Object.values(counts).some(Boolean)),
    failures: data.failures.map(({ code, messages }) => ({ code, messages })),
  };
}

/** Counts the same from the messages themselves. */
async function counted() {
  const today = `(now() at time zone 'utc')::date`;
  const of = (what: string) => `count(*) filter (where direction = 'out' and ${what})::int`;
  const days = await app.db.pool.query(`
    select to_char(created_at at time zone 'utc', 'YYYY-MM-DD') as day,
           ${of(`status in ('delivered', 'read')`)} as delivered,
           ${of(`status in ('sent', 'accepting')`)} as on_the_way,
           ${of(`status = 'failed'`)} as failed, ${of(`status = 'unknown'`)} as unknown,
           count(*) filter (where direction = 'in')::int as received
    from stored_messages
    where tenant_id = ${shop.id}
      and (created_at at time zone 'utc')::date > ${today} - 14
    group by 1 order by 1`);
  const failures = await app.db.pool.query(`
    select (error ->> 'code')::int as code, count(*)::int as messages
    from stored_messages
    where tenant_id = ${shop.id} and status = 'failed'
      and (created_at at time zone 'utc')::date > ${today} - 14
    group by 1 order by 2 desc`);
  return { days: days.rows, failures: failures.rows };
}
