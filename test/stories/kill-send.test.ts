import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { watchConversations } from '../../src/messages/conversations/live/conversation-changes.ts';
import { watchChannel } from '../../src/tenants/watched-topics.ts';
import { eventually } from '../checks/eventually.ts';
import { holdOutcomes } from '../database/hold-outcomes.ts';
import { holdLocks, lockWaiters } from '../database/locks.ts';
import { settleSends } from '../features/settle-sends.ts';
import { type TestTenant, testApp } from '../program/app.ts';
import { type ApiProcess, startApiProcesses } from '../program/service-processes.ts';
import { control, misbehave } from '../servers/control.ts';
import { onThePhone } from '../servers/phone.ts';

const app = testApp();
const body = JSON.stringify({ phone_number: '+14155550123', type: 'text', message: 'Once' });

/** Sends with an Idempotency-Key through a real process. Returns undefined if the process dies meanwhile. */
async function send(process: ApiProcess, shop: TestTenant) {
  const response = await request(`${process.url}/api/${shop.slug}/messages/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.token}`,
      'content-type': 'application/json',
      'idempotency-key': 'once',
    },
    body,
    dispatcher: process.dispatcher,
  }).catch(() => undefined);
  if (!response) return undefined;
  const text = await response.body.text().catch(() => undefined);
  return text && { status: response.statusCode, body: JSON.parse(text) };
}

async function rows(shop: TestTenant) {
  const { rows } = await app.db.pool.query(
    'select status, network_id from stored_messages where tenant_id = $1',
    [shop.id],
  );
  return rows as { status: string; network_id: string | null }[];
}

/**
 * Ends the statements that wait for a lock, as PostgreSQL would if it could see that their client is gone.
 */
async function endWaiters() {
  await app.db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
}

/**
 * Returns the messages after everything has settled, and after the same request is sent to another process.
 */
async function afterwards(shop: TestTenant) {
  await control(app, 'DELETE', '/simulator/behaviour');
  await settleSends(app);
  const settled = await rows(shop);
  // The dead process holds the key for some more seconds, which the test skips.
  await app.db.pool.query(
    "update idempotency_keys set held_until = now() - interval '1 s' where tenant_id = $1",
    [shop.id],
  );
  const again = await shop.call('POST', '/messages/send', body, { 'idempotency-key': 'once' });
  return { settled, again, rows: await rows(shop), messages: await onThePhone(app, shop) };
}

describe('kill -9 of the process of a send', () => {
  test('before it is stored leaves nothing, and a retry sends it', async () => {
    const shop = await app.tenant();
    const [process] = await startApiProcesses(app, 1);
    const holder = await holdLocks(app, 'lock table messages in share row exclusive mode');
    const sent = send(process!, shop);
    await lockWaiters(app, { like: '%messages%' });
    await process!.kill();
    await endWaiters();
    await holder.query('rollback');
    expect(await sent).toBeUndefined();
    expect(await onThePhone(app, shop)).toEqual([]);
    expect(await rows(shop)).toEqual([]);

    const after = await afterwards(shop);
    expect(after.again).toMatchObject({ status: 200 });
    expect(after.messages).toHaveLength(1);
    expect(after.rows).toHaveLength(1);
  });

  test('before the network accepts it leaves it unknown, and it is never sent again', async () => {
    const shop = await app.tenant();
    const [process] = await startApiProcesses(app, 1);
    await misbehave(app, shop, { answer: 'drop', delayMs: 600_000 });
    const sent = send(process!, shop);
    await eventually(async () => (await rows(shop)).length === 1);
    await process!.kill();
    expect(await sent).toBeUndefined();

    const after = await afterwards(shop);
    expect(after.settled).toEqual([{ status: 'unknown', network_id: null }]);
    expect(after.again).toMatchObject({ status: 500 });
    expect(after.rows).toEqual(after.settled);
    expect(after.messages).toEqual([]);
  });

  test('after the network accepted it, before it responds, leaves it unknown', async () => {
    const shop = await app.tenant();
    const [process] = await startApiProcesses(app, 1);
    await misbehave(app, shop, { delayMs: 600_000, callbacks: false });
    const sent = send(process!, shop);
    await eventually(async () => (await onThePhone(app, shop)).length === 1);
    await process!.kill();
    expect(await sent).toBeUndefined();

    const after = await afterwards(shop);
    expect(after.settled).toEqual([{ status: 'unknown', network_id: null }]);
    expect(after.again).toMatchObject({ status: 500 });
    expect(after.rows).toEqual(after.settled);
    expect(after.messages).toHaveLength(1);
  });

  test('after the network accepted it, is settled by a callback to another process', async () => {
    const shop = await app.tenant();
    const [process] = await startApiProcesses(app, 1);
    await misbehave(app, shop, { delayMs: 600_000, callbackDelayMs: 200 });
    const sent = send(process!, shop);
    await eventually(async () => (await onThePhone(app, shop)).length === 1);
    await process!.kill();
    expect(await sent).toBeUndefined();
    await eventually(async () => (await rows(shop))[0]!.status === 'delivered');

    const after = await afterwards(shop);
    const [message] = after.messages;
    expect(after.settled).toEqual([{ status: 'delivered', network_id: message!.wamid }]);
    expect(after.again).toMatchObject({
      status: 200,
      body: { data: { message_id: message!.wamid } },
    });
    expect(after.rows).toEqual(after.settled);
    expect(after.messages).toHaveLength(1);
  });

  test('after the response, before its commit, leaves it unknown', async () => {
    const shop = await app.tenant();
    const [process] = await startApiProcesses(app, 1);
    await misbehave(app, shop, { callbacks: false });
    const holder = await holdOutcomes(app, shop);
    const sent = send(process!, shop);
    await lockWaiters(app, { like: '%messages%' });
    await process!.kill();
    await endWaiters();
    await holder.query('rollback');
    expect(await sent).toBeUndefined();

    const after = await afterwards(shop);
    expect(after.settled).toEqual([{ status: 'unknown', network_id: null }]);
    expect(after.again).toMatchObject({ status: 500 });
    expect(after.rows).toEqual(after.settled);
    expect(after.messages).toHaveLength(1);
  });

  test('at the commit of the response leaves it sent, and a retry gets that response', async () => {
    const shop = await app.tenant();
    const [process] = await startApiProcesses(app, 1);
    await misbehave(app, shop, { callbacks: false });
    let killed: Promise<void> | undefined;
    await watchConversations(app.db, shop.id, 300_000);
    const stop = await app.db.listen(watchChannel, (payload) => {
      if (payload.startsWith(`${shop.id} `)) killed ??= process!.kill();
    });
    await send(process!, shop);
    await eventually(async () => killed !== undefined);
    await killed;
    stop();

    const after = await afterwards(shop);
    const [message] = after.messages;
    expect(after.settled).toEqual([{ status: 'sent', network_id: message!.wamid }]);
    expect(after.again).toMatchObject({
      status: 200,
      body: { data: { message_id: message!.wamid } },
    });
    expect(after.rows).toEqual(after.settled);
    expect(after.messages).toHaveLength(1);
  });
});
