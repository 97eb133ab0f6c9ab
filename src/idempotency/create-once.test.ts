import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { type ApiProcess, startApiProcesses } from '../../test/program/service-processes.ts';

const app = testApp();
const ann = { firstname: 'Ann', phone: '+14155550123' };
const withKey = { 'idempotency-key': 'customer-1' };

/** Creates the contact with the key in a real process. */
function createIn(process: ApiProcess, shop: TestTenant) {
  return request(`${process.url}/api/${shop.slug}/contacts`, {
    dispatcher: process.dispatcher,
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.token}`,
      'content-type': 'application/json',
      ...withKey,
    },
    body: JSON.stringify(ann),
  });
}

async function contactsOf(shop: TestTenant): Promise<unknown[]> {
  const { rows } = await app.db.pool.query('select id from contacts where tenant_id = $1', [
    shop.id,
  ]);
  return rows;
}

test.each([
  ['/contacts', ann],
  ['/statuses', { name: 'Hot', color: '#ff0000' }],
  ['/sources', { name: 'Fair' }],
  ['/groups', { name: 'Regulars' }],
])('50 at once with one key on %s create one', async (path, body) => {
  const shop = await app.tenant({ number: false });
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => shop.call('POST', path, body, withKey)),
  );
  for (const response of responses) {
    expect({ status: response.status, body: response.body }).toEqual({
      status: 200,
      body: responses[0]!.body,
    });
  }
  const replayed = responses.filter(
    (response) => response.headers['idempotency-replayed'] === 'true',
  );
  expect(replayed).toHaveLength(49);
  expect((await shop.call('GET', path)).body.data).toEqual([responses[0]!.body.data]);
});

test('a create that was refused can be corrected and sent again with the same key, and counts once', async () => {
  const shop = await app.tenant({ number: false });
  await moveToFreshMinute(app);
  const before = await shop.call('GET', '/contacts');
  await shop.call('POST', '/contacts', ann);
  const taken = await shop.call('POST', '/contacts', ann, withKey);
  expect(taken.status).toBe(422);
  const corrected = await shop.call(
    'POST',
    '/contacts',
    { ...ann, phone: '+14155550124' },
    withKey,
  );
  expect(corrected.status).toBe(200);
  expect(Number(corrected.headers['ratelimit-remaining'])).toBe(
    Number(before.headers['ratelimit-remaining']) - 3,
  );
});

test('a process killed between effect and response leaves neither, and the next request creates', async () => {
  const [doomed] = await startApiProcesses(app, 1);
  const shop = await app.tenant({ number: false });
  // Storing a response waits until the test releases the lock.
  await app.db.pool.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(42); return new; end $$`);
  await app.db.pool.query(`
    create trigger wait_for_test before update on idempotency_keys for each row
    when (new.answer is not null) execute function wait_for_test()`);
  const holder = await holdLocks(app, 'select pg_advisory_xact_lock(42)');
  const lost = expect(createIn(doomed!, shop)).rejects.toThrow();
  const [waiter] = await lockWaiters(app);
  expect(await contactsOf(shop)).toEqual([]);
  await doomed!.kill();
  await lost;
  // PostgreSQL notices only at the end of the statement that its client is gone, so the test ends
  // it.
  await app.db.pool.query('select pg_terminate_backend($1)', [waiter]);
  await holder.query('commit');
  expect(await contactsOf(shop)).toEqual([]);
  await app.moveClock(60_000);
  const response = await shop.call('POST', '/contacts', ann, withKey);
  expect({ status: response.status, data: response.body.data }).toMatchObject({
    status: 200,
    data: ann,
  });
  expect(await contactsOf(shop)).toHaveLength(1);
});

test('a process creates nothing if another one has taken over its key in the meantime', async () => {
  const shop = await app.tenant({ number: false });
  const holder = await holdLocks(app, 'lock table contacts in share mode');
  const late = shop.call('POST', '/contacts', ann, withKey);
  await eventually(async () => {
    const { rowCount } = await app.db.pool.query(
      `update idempotency_keys set run_id = nextval('idempotency_runs') where tenant_id = $1`,
      [shop.id],
    );
    return rowCount === 1;
  });
  await holder.query('commit');
  expect((await late).status).toBe(500);
  expect(await contactsOf(shop)).toEqual([]);
});

test('a request that waited for one that failed for want of disk space gets the same response', async () => {
  const shop = await app.tenant({ number: false });
  await app.db.pool.query(`
    create function fill_disk() returns trigger language plpgsql as $$
    begin
      raise exception 'no space left on device' using errcode = '53100';
    end $$;
    create trigger fill_disk before insert on contacts
      for each row when (new.tenant_id = ${shop.id}) execute function fill_disk()`);
  onTestFinished(async () => {
    await app.db.pool.query('drop function fill_disk cascade');
  });
  const holder = await holdLocks(app, 'lock table contacts in share mode');
  const first = shop.call('POST', '/contacts', ann, withKey);
  await lockWaiters(app);
  const waiting = shop.call('POST', '/contacts', ann, withKey);
  await holder.query('commit');
  for (const { body, headers } of [await first, await waiting]) {
    expect(body.code).toBe('no_connection');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
});

test('a request that takes longer than its lease keeps its key', async () => {
  const shop = await app.tenant({ number: false });
  const heldUntil = async () => {
    const { rows } = await app.db.pool.query<{ held_until: Date }>(
      'select held_until from idempotency_keys where tenant_id = $1',
      [shop.id],
    );
    return rows[0]?.held_until;
  };
  const holder = await holdLocks(app, 'lock table contacts in share mode');
  const late = shop.call('POST', '/contacts', ann, withKey);
  const first = await eventually(heldUntil);
  await app.moveClock(10_000);
  await eventually(async () => (await heldUntil())! > first);
  const again = shop.call('POST', '/contacts', ann, withKey);
  await holder.query('commit');
  expect((await late).status).toBe(200);
  expect((await again).body).toEqual((await late).body);
  expect(await contactsOf(shop)).toHaveLength(1);
});

test('a process killed after the commit has stored its response', async () => {
  const [doomed] = await startApiProcesses(app, 1);
  const shop = await app.tenant({ number: false });
  const response = await createIn(doomed!, shop);
  const first = await response.body.json();
  await doomed!.kill();
  const again = await shop.call('POST', '/contacts', ann, withKey);
  expect(again.body).toEqual(first);
  expect(await contactsOf(shop)).toHaveLength(1);
});
