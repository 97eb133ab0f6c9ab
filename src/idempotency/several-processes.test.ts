import sql, { type Sql } from 'sql-template-tag';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { type ApiProcess, startApiProcesses } from '../../test/api-process.ts';
import { eventually, misbehave, type TestTenant, testApp } from '../../test/app.ts';
import { holdLocks, lockWaiters } from '../../test/locks.ts';
import { onThePhone, readOnThePhone } from '../../test/phone.ts';
import type { Db } from '../platform/database/database.ts';
import { type Claim, claimKeys, deleteExpiredKeys, forgetRun, redrawRun } from './queries.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const withKey = { 'idempotency-key': 'order-1' };

async function send({ url, dispatcher }: ApiProcess, shop: TestTenant) {
  const answer = await request(`${url}/api/${shop.slug}/messages/send`, {
    dispatcher,
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.token}`,
      'content-type': 'application/json',
      ...withKey,
    },
    body: JSON.stringify(text),
  });
  return { status: answer.statusCode, body: await answer.body.json() };
}

test('50 requests with one key on three processes send one message', async () => {
  const [one, two, three] = await startApiProcesses(app, 3);
  const shop = await app.tenant();
  await misbehave(app, shop, { delayMs: 150 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => send([one!, two!, three!][index % 3]!, shop)),
  );
  expect(answers).toEqual(answers.map(() => ({ status: 200, body: answers[0]!.body })));
  expect(await onThePhone(app, shop)).toHaveLength(1);
});

test('a process killed while the network has the message leaves it to another, which never sends it again', async () => {
  const [doomed] = await startApiProcesses(app, 1);
  const shop = await app.tenant();
  await misbehave(app, shop, { answer: 'never', callbacks: false, stepMs: 1, count: 1 });
  const lost = expect(send(doomed!, shop)).rejects.toThrow();
  await eventually(async () => (await onThePhone(app, shop)).length === 1);
  await doomed!.kill();
  await lost;

  // Not before the lease of the dead process is over does another one look for itself.
  await app.moveClock(60_000);
  const early = await shop.call('POST', '/messages/send', text, withKey);
  expect({ status: early.status, retry: early.headers['retry-after'] }).toEqual({
    status: 500,
    retry: '5',
  });
  expect(early.body.message).toMatch(/may have been sent/);

  await readOnThePhone(app, shop, text.phone_number);
  const settled = await eventually(async () => {
    const answer = await shop.call('POST', '/messages/send', text, withKey);
    return answer.status === 200 && answer;
  });
  const sent = await onThePhone(app, shop);
  expect(sent.map(({ wamid }) => wamid)).toEqual([settled.body.data.message_id]);
  expect(settled.headers['idempotency-replayed']).toBe('true');
});

test('a process killed before it wrote the message down lets another one send it', async () => {
  const [doomed] = await startApiProcesses(app, 1);
  const shop = await app.tenant();
  // Nothing can be written down before the tenant's number is looked up.
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
  const answer = await shop.call('POST', '/messages/send', text, withKey);
  expect(answer.status).toBe(200);
  expect(await onThePhone(app, shop)).toHaveLength(1);
});

describe('a key that a process has claimed', () => {
  /** A tenant's key, with what claims it and what is kept of it. */
  async function newKey() {
    const shop = await app.tenant({ number: false });
    const key = { tenantId: shop.id, tokenId: shop.tokenId, key: 'order-1' };
    const asked = [{ ...key, fingerprint: Buffer.alloc(32), waitedFor: null }];
    return {
      key,
      claim: async (db: Db): Promise<Claim> => (await claimKeys(db, asked, 10_000))[0]!,
      set: (what: Sql) =>
        app.db.query(sql`update idempotency_keys set ${what} where tenant_id = ${shop.id}`),
      kept: async () => {
        const { rows } = await app.db.query<{ run_id: number }>(sql`
          select run_id from idempotency_keys where tenant_id = ${shop.id}`);
        return rows.map((row) => row.run_id);
      },
    };
  }

  test('is not another one’s that asked for it at the same moment', async () => {
    const { claim } = await newKey();
    let late: Promise<Claim> | undefined;
    const first = await app.db.transaction(async (tx) => {
      const claimed = await claim(tx);
      late = claim(app.db.batched);
      await lockWaiters(app);
      return claimed;
    });
    expect([first.ours, (await late)?.ours]).toEqual([true, false]);
  });

  test('is not let go by one that lost it, nor by any once its message is written down', async () => {
    const { key, claim, set, kept } = await newKey();
    const lost = { ...key, runId: (await claim(app.db)).run_id! };
    const runId = (await redrawRun(app.db, lost))!;
    expect(await redrawRun(app.db, lost)).toBeUndefined();
    await forgetRun(app.db, lost);
    expect(await kept()).toEqual([runId]);
    await set(sql`written = true`);
    await forgetRun(app.db, { ...key, runId });
    expect(await kept()).toEqual([runId]);
  });

  test('stays its own beyond the day of the key, for as long as it holds it', async () => {
    const { claim, set, kept } = await newKey();
    const { run_id: runId } = await claim(app.db);
    await set(sql`created_at = now() - interval '25 hours'`);
    await deleteExpiredKeys(app.db);
    expect(await kept()).toEqual([runId]);
    await set(sql`held_until = now()`);
    await deleteExpiredKeys(app.db);
    expect(await kept()).toEqual([]);
  });
});
