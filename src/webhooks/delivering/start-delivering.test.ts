import type { ServerResponse } from 'node:http';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { testApp } from '../../../test/program/app.ts';
import { startReceiver } from '../../../test/servers/receiver.ts';
import { claimerLockClass } from '../../platform/database/advisory-locks.ts';
import { defaultEndpointOf } from '../endpoint-key.ts';
import { listDeliveries } from '../log/delivery-log-queries.ts';
import { recordEvents } from '../record-events.ts';
import { setWebhook } from '../set-webhook.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { startDelivering } from './start-delivering.ts';

// A long timeout, so that a receiver that hangs does so until the end of the test.
const app = testApp({ PARLEY_WEBHOOK_TIMEOUT_MS: '600000' });
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

async function recordOne(): Promise<number> {
  return record(1, '/');
}

/** Records events of a new tenant, whose webhook has this path. */
async function record(count: number, path: string): Promise<number> {
  const { id } = await app.tenant({ number: false });
  await setWebhook(app.services, id, { url: `${receiver.url}${path}` });
  const event = { type: 'source.updated' as const, data: { id: 1 } };
  await recordEvents(app.db, id, Array(count).fill(event));
  return id;
}

const delivered = (tenantId: number) =>
  eventually(async () => {
    const [newest] = await listDeliveries(app.db, defaultEndpointOf(tenantId), {}, 1);
    return newest?.state === 'delivered' ? newest : undefined;
  });

test('a process that ends releases its deliveries in flight', async () => {
  receiver.answer = () => {};
  const stop = startDelivering(app.services);
  const tenantId = await recordOne();
  await eventually(async () => receiver.received.length === 1);
  await stop();
  const { rows } = await app.db.query(sql`select state, leased_until from deliveries`);
  expect(rows).toEqual([{ state: 'waiting', leased_until: null }]);

  receiver.answer = (_received, response) => response.writeHead(200).end();
  const stopNext = startDelivering(app.services);
  expect(await delivered(tenantId)).toMatchObject({ attempts: 1 });
  await stopNext();
  expect(receiver.received).toHaveLength(2);
});

test('a failure while a process ends does not count against the receiver', async () => {
  const responses: ServerResponse[] = [];
  receiver.answer = (_received, response) => responses.push(response);
  const stop = startDelivering(app.services);
  const tenantId = await recordOne();
  await eventually(async () => responses.length === 1);
  const stopped = stop();
  responses[0]!.destroy();
  await stopped;
  const { rows } = await app.db.query(sql`
    select state, attempts, leased_until from deliveries where tenant_id = ${tenantId}`);
  expect(rows).toEqual([{ state: 'waiting', attempts: 0, leased_until: null }]);
});

test('deliveries continue after connections to the database were lost', async () => {
  receiver.answer = (_received, response) => response.writeHead(200).end();
  const stop = startDelivering(app.services);
  await delivered(await recordOne());
  await app.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const tenantId = await eventually(() => recordOne().catch(() => undefined));
  await delivered(tenantId);
  await stop();
});

test('a living process keeps its leases after connections to the database were lost', async () => {
  const hanging = () => receiver.received.filter(({ path }) => path === '/held').length;
  receiver.answer = ({ path }, response) => {
    if (path !== '/held') response.writeHead(200).end();
  };
  const stop = startDelivering(app.services);
  await record(1, '/held');
  await eventually(async () => hanging() === 1);
  await app.db.query(sql`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const lock = sql`
    select from pg_locks where locktype = 'advisory' and classid = ${claimerLockClass}
      and database = (select oid from pg_database where datname = current_database())`;
  await eventually(() =>
    app.db.query(lock).then(
      ({ rows }) => rows.length === 1,
      () => false,
    ),
  );
  // A process that starts releases abandoned leases.
  const stopOther = startDelivering(app.services);
  const tenantId = await eventually(() => recordOne().catch(() => undefined));
  await delivered(tenantId);
  await stopOther();
  await stop();
  expect(hanging()).toBe(1);
});

test('tenants whose receivers hang do not delay others with a receiver on the same host', async () => {
  const hanging = () => receiver.received.filter(({ path }) => path === '/hanging').length;
  receiver.answer = ({ path }, response) => {
    if (path !== '/hanging') response.writeHead(200).end();
  };
  const stop = startDelivering(app.services);
  const [tenants, inFlightOfEach] = [20, 8];
  for (let each = 0; each < tenants; each++) await record(50, '/hanging');
  await eventually(async () => hanging() === tenants * inFlightOfEach);
  await delivered(await recordOne());
  await stop();
});

const claim = (tenantId: number, firstDelayMs: number, dueFrom?: Date) =>
  claimDeliveries(
    app.db.batched,
    [{ endpoint: String(tenantId), limit: 1, dueFrom }],
    { ms: 1_000, claimer: 1 },
    { firstDelayMs },
  );

test('the first attempt waits for the first delay of the schedule', async () => {
  const tenantId = await recordOne();
  onTestFinished(() => app.setClock(0));
  await app.setClock(3_500_000);
  expect(await claim(tenantId, 3_600_000)).toEqual([]);
  await app.setClock(3_600_000);
  expect(await claim(tenantId, 3_600_000)).toHaveLength(1);
});

test('a claim passes over what was due before the last claims', async () => {
  const tenantId = await recordOne();
  const [inAnHour, anHourAgo] = [Date.now() + 3_600_000, Date.now() - 3_600_000];
  expect(await claim(tenantId, 0, new Date(inAnHour))).toEqual([]);
  expect(await claim(tenantId, 0, new Date(anHourAgo))).toHaveLength(1);
});

test('a webhook that is switched off after its deliveries were found gets none of them', async () => {
  const tenantId = await recordOne();
  const set = (since: string | null) =>
    app.db.query(sql`update webhooks set off_since = ${since} where tenant_id = ${tenantId}`);
  await set('now');
  expect(await claim(tenantId, 0)).toEqual([]);
  await set(null);
  expect(await claim(tenantId, 0)).toHaveLength(1);
});

test('deliveries are made even if a batch of events cannot be turned into some', async () => {
  receiver.answer = (_received, response) => response.writeHead(200).end();
  const { id: broken } = await app.tenant({ number: false });
  await app.db.query(sql`
    insert into event_batches (tenant_id, created_at, webhook_ids, event, data)
    values (${broken}, now(), '{1}', 'contact.updated', 'not JSON')`);
  const tenantId = await recordOne();
  const stop = startDelivering(app.services);
  expect(await delivered(tenantId)).toMatchObject({ attempts: 1 });
  await stop();
  await app.db.query(sql`delete from event_batches where tenant_id = ${broken}`);
});
