import sql, { type Sql } from 'sql-template-tag';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { type ApiProcess, sharedApiProcesses } from '../../test/program/service-processes.ts';
import { misbehave } from '../../test/servers/control.ts';
import { onThePhone, readOnThePhone } from '../../test/servers/phone.ts';
import type { Db } from '../platform/database/database.ts';
import { type Claim, claimKeys } from './claim-queries.ts';
import { deleteExpiredKeys, releaseKey, startNewAttempt } from './queries.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const withKey = { 'idempotency-key': 'order-1' };

/** The second and the third one are killed by tests. */
const processes = sharedApiProcesses(app, 3);

async function send({ url, dispatcher }: ApiProcess, shop: TestTenant) {
  const response = await request(`${url}/api/${shop.slug}/messages/send`, {
    dispatcher,
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.token}`,
      'content-type': 'application/json',
      ...withKey,
    },
    body: JSON.stringify(text),
  });
  return { status: response.statusCode, body: await response.body.json() };
}

test('50 requests with one key on three processes send one message', async () => {
  const shop = await app.tenant();
  await misbehave(app, shop, { delayMs: 150 });
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => send(processes[index % 3]!, shop)),
  );
  expect(responses).toEqual(responses.map(() => ({ status: 200, body: responses[0]!.body })));
  expect(await onThePhone(app, shop)).toHaveLength(1);
});

test('when a process is killed after the network got the message, another takes over and never sends it again', async () => {
  const doomed = processes[1];
  const shop = await app.tenant();
  await misbehave(app, shop, { answer: 'never', callbacks: false, stepMs: 1, count: 1 });
  const lost = expect(send(doomed!, shop)).rejects.toThrow();
  await eventually(async () => (await onThePhone(app, shop)).length === 1);
  await doomed!.kill();
  await lost;

  // Another process takes over only when the lease of the dead one has expired.
  await app.moveClock(60_000);
  const early = await shop.call('POST', '/messages/send', text, withKey);
  expect({ status: early.status, retry: early.headers['retry-after'] }).toEqual({
    status: 500,
    retry: '5',
  });
  expect(early.body.message).toMatch(/may have been sent/);

  await readOnThePhone(app, shop, text.phone_number);
  const settled = await eventually(async () => {
    const response = await shop.call('POST', '/messages/send', text, withKey);
    return response.status === 200 && response;
  });
  const sent = await onThePhone(app, shop);
  expect(sent.map(({ wamid }) => wamid)).toEqual([settled.body.data.message_id]);
  expect(settled.headers['idempotency-replayed']).toBe('true');
});

test('when a process is killed before it stored the message, another one sends it', async () => {
  const doomed = processes[2];
  const shop = await app.tenant();
  // A send looks up the tenant's number before it stores the message.
  const holder = await holdLocks(app, 'lock table numbers in access exclusive mode');
  const lost = expect(send(doomed!, shop)).rejects.toThrow();
  await eventually(async () => {
    const claimed = 'select from idempotency_keys where tenant_id = $1';
    return (await app.db.pool.query(claimed, [shop.id])).rowCount === 1;
  });
  await doomed!.kill();
  await lost;
  await holder.query('commit');
  await app.moveClock(60_000);
  const response = await shop.call('POST', '/messages/send', text, withKey);
  expect(response.status).toBe(200);
  expect(await onThePhone(app, shop)).toHaveLength(1);
});

function attemptOf(claim: Claim): number {
  if (claim.state !== 'claimed') throw new Error(`not claimed, but ${claim.state}`);
  return claim.attemptId;
}

describe('a key that a process has claimed', () => {
  /**
   * Creates a tenant with an unused key, and functions that claim it, change its row and read it.
   */
  async function newKey() {
    const shop = await app.tenant({ number: false });
    const key = { tenantId: shop.id, tokenId: shop.tokenId, key: 'order-1' };
    const asked = [{ ...key, fingerprint: Buffer.alloc(32), waitedFor: null }];
    return {
      key,
      claim: async (db: Db): Promise<Claim> => (await claimKeys(db, asked, 10_000))[0]!,
      set: (assignments: Sql) =>
        app.db.query(sql`update idempotency_keys set ${assignments} where tenant_id = ${shop.id}`),
      storedAttempts: async () => {
        const { rows } = await app.db.query<{ run_id: number }>(sql`
          select run_id from idempotency_keys where tenant_id = ${shop.id}`);
        return rows.map((row) => row.run_id);
      },
    };
  }

  test('cannot be claimed by another that asks at the same time', async () => {
    const { claim } = await newKey();
    let late: Promise<Claim> | undefined;
    const first = await app.db.transaction(async (tx) => {
      const claimed = await claim(tx);
      late = claim(app.db.batched);
      await lockWaiters(app);
      return claimed;
    });
    expect([first.state, (await late)?.state]).toEqual(['claimed', 'running']);
  });

  test('is not released by an attempt that lost it, nor by any once its message is stored', async () => {
    const { key, claim, set, storedAttempts } = await newKey();
    const lost = { ...key, attemptId: attemptOf(await claim(app.db)) };
    const attemptId = (await startNewAttempt(app.db, lost))!;
    expect(await startNewAttempt(app.db, lost)).toBeUndefined();
    await releaseKey(app.db, lost);
    expect(await storedAttempts()).toEqual([attemptId]);
    await set(sql`written = true`);
    await releaseKey(app.db, { ...key, attemptId });
    expect(await storedAttempts()).toEqual([attemptId]);
  });

  test('is not deleted when its day is over, as long as the process holds it', async () => {
    const { claim, set, storedAttempts } = await newKey();
    const attemptId = attemptOf(await claim(app.db));
    await set(sql`created_at = now() - interval '25 hours'`);
    await deleteExpiredKeys(app.db, 500);
    expect(await storedAttempts()).toEqual([attemptId]);
    await set(sql`held_until = now()`);
    await deleteExpiredKeys(app.db, 500);
    expect(await storedAttempts()).toEqual([]);
  });

  test('is deleted without waiting for another key that is locked', async () => {
    const [locked, expired] = [await newKey(), await newKey()];
    for (const { claim, set } of [locked, expired]) {
      await claim(app.db);
      await set(sql`created_at = now() - interval '25 hours', held_until = now()`);
    }
    const open = await holdLocks(
      app,
      `select from idempotency_keys where tenant_id = ${locked.key.tenantId} for update`,
    );
    await deleteExpiredKeys(app.db, 500);
    expect(await expired.storedAttempts()).toEqual([]);
    expect(await locked.storedAttempts()).toHaveLength(1);
    await open.query('rollback');
  });
});
