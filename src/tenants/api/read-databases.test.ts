import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { onEveryConnection } from '../../../test/database/every-connection.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { type TestResponse, type TestTenant, testApp } from '../../../test/program/app.ts';

const timeoutMs = '700';
const app = testApp({
  PARLEY_API_READ_TIMEOUT_MS: timeoutMs,
  PARLEY_DASHBOARD_READ_TIMEOUT_MS: timeoutMs,
});
const patient = testApp();
const tooSlow = {
  status: 500,
  body: {
    success: false,
    code: 'read_too_slow',
    message: expect.stringMatching(/took too long.*narrow the filter/i),
  },
};

const statusesOf = (responses: TestResponse[]) => responses.map(({ status }) => status);

let shops: TestTenant[];
let owners: TestMember[];
beforeAll(async () => {
  shops = [await app.tenant(), await app.tenant()];
  owners = await Promise.all(shops.map((shop) => signIn(app, shop)));
});

test('each read of the API ends after its time with an error that says what to do', async () => {
  await expectTimeouts(shops, [
    ['/messages/wamid.1', 'messages'],
    ['/contacts', 'contacts'],
    ['/contacts?search=ann', 'contacts'],
    ['/contacts/1', 'contacts'],
    ['/statuses', 'statuses'],
    ['/sources/1', 'sources'],
    ['/groups', 'groups'],
    ['/templates', 'templates'],
    ['/events', 'events'],
    ['/message-bots', 'bots'],
    ['/template-bots', 'bots'],
  ]);
});

test('each read of the dashboard ends after its time too', async () => {
  await expectTimeouts(owners, [
    ['/overview', 'message_outcomes'],
    ['/usage', 'token_usage'],
    ['/requests', 'api_requests'],
    ['/webhook', 'webhooks'],
    ['/webhook/deliveries', 'deliveries'],
    ['/conversation?phone=%2B14155550123', 'messages'],
    ['/conversations', 'messages'],
    ['/conversations?search=ann', 'messages'],
    ['/conversation/media/1', 'messages'],
    ['/contacts/filtered?page=1&per_page=25', 'contacts'],
    ['/contacts/bulk', 'contact_bulk_changes'],
    ['/contacts/imports', 'contact_imports'],
    ['/contacts/imports/1/report', 'contact_imports'],
    ['/contacts/imports/1/refused-rows', 'contact_imports'],
    ['/stores', 'stores'],
    ['/stores/1', 'stores'],
    ['/stores/1/events', 'stores'],
    ['/stores/1/events/1', 'stores'],
    ['/template-overview', 'template_syncs'],
    ['/bots', 'bots'],
    ['/bots/answers', 'bot_answers'],
    ['/api-settings', 'tokens'],
    ['/members', 'invitations'],
    ['/numbers', 'numbers'],
    ['/groups', 'groups'],
  ]);
});

/** Checks paths with a table that each reads. Each of the callers may read three at once. */
async function expectTimeouts(
  callers: Pick<TestTenant | TestMember, 'call'>[],
  reads: [path: string, table: string][],
): Promise<void> {
  const readAll = (paths: string[]) =>
    Promise.all(
      paths.map(async (path, index) => ({
        path,
        ...(await callers[Math.floor(index / 3)]!.call('GET', path)),
      })),
    );
  const failed = async (paths: string[]) =>
    (await readAll(paths)).filter(({ status }) => status === 500);
  const atOnce = 3 * callers.length;
  for (let first = 0; first < reads.length; first += atOnce) {
    const some = reads.slice(first, first + atOnce);
    const paths = some.map(([path]) => path);
    // The number is found and cached before.
    expect(await failed(paths)).toEqual([]);
    const tables = new Set(some.map(([, table]) => table));
    const holder = await holdLocks(
      app,
      `lock table ${[...tables].join(', ')} in access exclusive mode`,
    );
    expect(await readAll(paths)).toMatchObject(paths.map((path) => ({ path, ...tooSlow })));
    await holder.query('rollback');
    expect(await failed(paths)).toEqual([]);
  }
}

test('connections serve other reads after a timeout', async () => {
  const shop = await app.tenant({ number: false });
  const holder = await holdLocks(app, 'lock table groups in access exclusive mode');
  const pool = app.db.reads.api;
  const pids = () =>
    onEveryConnection(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      return rows[0]!.pid;
    });
  const slow = Array.from({ length: 3 }, () => shop.call('GET', '/groups'));
  await lockWaiters(app, { count: 3 });
  expect(statusesOf(await Promise.all(slow))).toEqual([500, 500, 500]);
  const before = await pids();
  await holder.query('rollback');
  expect(statusesOf(await Promise.all(slow.map(() => shop.call('GET', '/groups'))))).toEqual([
    200, 200, 200,
  ]);
  expect(await pids()).toEqual(expect.arrayContaining(before));
});

test('an export takes as long as it needs', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  const holder = await holdLocks(app, 'lock table contacts in access exclusive mode');
  const exported = owner.call('GET', '/contacts/export');
  await lockWaiters(app);
  // A read that begins later is ended meanwhile.
  expect(await owner.call('GET', '/contacts')).toMatchObject(tooSlow);
  await holder.query('rollback');
  expect((await exported).status).toBe(200);
});

test("one tenant's slow reads of every kind leave the reads, sends and writes of others alone", async () => {
  const shop = await patient.tenant();
  const neighbour = await patient.tenant();
  const owner = await signIn(patient, shop);
  const member = await signIn(patient, neighbour);
  const holder = await holdLocks(
    patient,
    'lock table bots, bot_answers, invitations, contact_imports in access exclusive mode',
  );
  const slow = Array.from({ length: 20 }, () => [
    shop.call('GET', '/message-bots'),
    owner.call('GET', '/bots/answers'),
    owner.call('GET', '/members'),
    owner.call('GET', '/contacts/imports'),
  ]).flat();
  // Three statements of expensive reads, and three of others.
  expect(await lockWaiters(patient, { count: 6 })).toHaveLength(6);

  const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
  const others = await Promise.all([
    ...Array.from({ length: 10 }, () => neighbour.call('GET', '/groups')),
    ...Array.from({ length: 10 }, () => member.call('GET', '/conversations')),
    ...Array.from({ length: 10 }, () => neighbour.call('POST', '/messages/send', text)),
    ...Array.from({ length: 10 }, (_, n) =>
      neighbour.call('POST', '/messages/send', text, { 'idempotency-key': `key-${n}` }),
    ),
    neighbour.call('POST', '/groups', { name: 'Regulars' }),
  ]);
  expect([...new Set(statusesOf(others))]).toEqual([200]);
  // The tenant's own sends go on too.
  expect((await shop.call('POST', '/messages/send', text)).status).toBe(200);
  expect(await lockWaiters(patient, { count: 6 })).toHaveLength(6);
  await eventually(async () => patient.db.usage().waiting === 0);
  await holder.query('rollback');
  expect([...new Set(statusesOf(await Promise.all(slow)))]).toEqual([200]);
});

test("one tenant's keyed sends that wait for its keys leave connections for others", async () => {
  const shop = await patient.tenant();
  const neighbour = await patient.tenant({ number: false });
  const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
  await patient.db.pool.query(`
    create function wait_for_test() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(4711);
      return new;
    end $$;
    create trigger wait_for_test before update of answer on idempotency_keys
      for each row execute function wait_for_test()`);
  const holder = await holdLocks(patient, 'select pg_advisory_xact_lock(4711)');
  try {
    const sends = Array.from({ length: 20 }, (_, n) =>
      shop.call('POST', '/messages/send', text, { 'idempotency-key': `waiting-${n}` }),
    );
    expect(await lockWaiters(patient, { count: 3, lock: 'advisory' })).toHaveLength(3);
    expect((await neighbour.call('POST', '/groups', { name: 'Regulars' })).status).toBe(200);
    expect(await lockWaiters(patient, { count: 3, lock: 'advisory' })).toHaveLength(3);
    await holder.query('rollback');
    expect([...new Set(statusesOf(await Promise.all(sends)))]).toEqual([200]);
  } finally {
    await patient.db.pool.query('drop function wait_for_test cascade');
  }
});

test("one tenant's refused creates that wait for a check leave connections for others", async () => {
  const shop = await patient.tenant({ number: false });
  const neighbour = await patient.tenant({ number: false });
  const holder = await holdLocks(patient, 'lock table statuses in access exclusive mode');
  const faulty = { firstname: 'Ann', phone: '+14155550123', email: 'no', status_id: 1 };
  const creates = Array.from({ length: 20 }, () => shop.call('POST', '/contacts', faulty));
  expect(await lockWaiters(patient, { count: 3 })).toHaveLength(3);
  expect((await neighbour.call('POST', '/groups', { name: 'Regulars' })).status).toBe(200);
  expect(await lockWaiters(patient, { count: 3 })).toHaveLength(3);
  await holder.query('rollback');
  expect([...new Set(statusesOf(await Promise.all(creates)))]).toEqual([422]);
});
