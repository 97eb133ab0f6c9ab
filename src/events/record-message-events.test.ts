import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { countRoundTrips } from '../../test/database/round-trips.ts';
import { write } from '../../test/features/bots.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { misbehave } from '../../test/servers/control.ts';
import { completeSends } from '../messages/sending/write-sends.ts';
import type { Db } from '../platform/database/database.ts';
import type { Prepared } from '../platform/database/statement.ts';
import { allAbilities } from '../tenants/tokens/abilities.ts';

const app = testApp();
const withoutEvents = allAbilities.filter((ability) => ability !== 'events:read');
const body = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

/** The events in the outbox, which nobody publishes here. */
async function recorded({ id }: TestTenant): Promise<string[]> {
  const { rows } = await app.db.pool.query<{ event: string }>(
    `select event from event_outbox where tenant_id = $1 and event like 'message.%' order by id`,
    [id],
  );
  return rows.map(({ event }) => event);
}

test('events are recorded if the tenant has a log, or an endpoint that has chosen them', async () => {
  const wanted: [abilities: string[], events: string | null | undefined, recorded: string[]][] = [
    [['events:read', 'messages:text'], undefined, ['message.sent', 'message.received']],
    [['messages:text'], undefined, []],
    [['messages:text'], null, []],
    [['messages:text'], '{contact.*,message.read}', []],
    [['messages:text'], '{message.sent}', ['message.sent']],
    [['messages:text'], '{message.*}', ['message.sent', 'message.received']],
  ];
  for (const [abilities, events, expected] of wanted) {
    const shop = await app.tenant({ abilities });
    await misbehave(app, shop, { callbacks: false });
    if (events !== undefined) {
      await app.db.query(sql`
        insert into webhooks (tenant_id, url, events, secret)
        values (${shop.id}, 'https://hooks.example.com', ${events}::text[], '')`);
    }
    expect((await shop.call('POST', '/messages/send', body)).status).toBe(200);
    await misbehave(app, shop, { callbacks: true });
    await write(app, shop, '14155550123', 'Hi');
    await eventually(async () => {
      const { rows } = await app.db.query(sql`
        select from messages where tenant_id = ${shop.id} and direction = 'in'`);
      return rows.length > 0;
    });
    expect(await recorded(shop)).toEqual(expected);
  }
});

test('events cost no round trip, and a tenant that wants none no work', async () => {
  const [reading, other] = [await app.tenant(), await app.tenant({ abilities: withoutEvents })];
  const trips = [];
  for (const shop of [reading, other]) {
    await misbehave(app, shop, { callbacks: false });
    const send = () => shop.call('POST', '/messages/send', body);
    const counts = [];
    for (let time = 0; time < 5; time++) counts.push(await countRoundTrips(app, send));
    // The middle: one may look up an expired entry of a cache, and one may share a statement with the send before.
    trips.push(counts.sort()[2]);
  }
  expect(trips[0]).toBe(trips[1]);
  expect(await recorded(other)).toEqual([]);

  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    values (${other.id}, ${other.number.id}, 'out', '+14155550123', 'text', '{}', 'accepting')
    returning id`);
  const inserts = await nodesOf('event_outbox', (db) =>
    completeSends(db, [
      {
        tenantId: other.id,
        id: rows[0]!.id,
        status: 'sent',
        networkId: 'wamid.explained',
        error: null,
        refunded: false,
      },
    ]),
  );
  expect(inserts).toHaveLength(1);
  const [insert] = inserts;
  expect(insert!['Actual Rows']).toBe(0);
  // It looks into two indexes by the tenant, and reads no message.
  const read = [...relationsOf(insert!)].filter((name) => name !== 'event_outbox').sort();
  expect(read).toEqual(['event_logs', 'webhooks']);
});

type PlanNode = { [key: string]: unknown; 'Relation Name'?: string; Plans?: PlanNode[] };

/** Runs a statement, and returns the parts of its plan that change a table. */
async function nodesOf(table: string, run: (db: Db) => Promise<unknown>): Promise<PlanNode[]> {
  let prepared: Prepared | undefined;
  await run({
    async query(given) {
      prepared = given as Prepared;
      return { rows: [], rowCount: 0 };
    },
  });
  const { text, values } = prepared!;
  const { rows } = await app.db.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  const found: PlanNode[] = [];
  const walk = (node: PlanNode) => {
    if (node['Node Type'] === 'ModifyTable' && node['Relation Name'] === table) found.push(node);
    for (const each of node.Plans ?? []) walk(each);
  };
  walk(rows[0]!['QUERY PLAN'][0].Plan);
  return found;
}

function relationsOf(node: PlanNode): Set<string> {
  const own = node['Relation Name'] ? [node['Relation Name']] : [];
  return new Set([...own, ...(node.Plans ?? []).flatMap((each) => [...relationsOf(each)])]);
}
