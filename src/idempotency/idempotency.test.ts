import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { call, type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { misbehave } from '../../test/servers/control.ts';
import { onThePhone, readOnThePhone } from '../../test/servers/phone.ts';
import { buildApp } from '../app.ts';
import { purgeConversations } from '../messages/erasing/purge-conversations.ts';
import { createToken } from '../tenants/tokens/create-token.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const dayMs = 86_400_000;

function sendWith(shop: TestTenant, key: string, body: unknown = text) {
  return shop.call('POST', '/messages/send', body, { 'idempotency-key': key });
}

/** Makes a request that fails before anything is stored. */
function refusedByUs(shop: TestTenant) {
  const body = { phone_number: text.phone_number, template_name: 'none', template_language: 'en' };
  return shop.call('POST', '/messages/template', body, { 'idempotency-key': 'order-1' });
}

async function statusesOf(shop: TestTenant): Promise<string[]> {
  const { rows } = await app.db.pool.query<{ status: string }>(
    'select status from stored_messages where tenant_id = $1 order by id',
    [shop.id],
  );
  return rows.map((row) => row.status);
}

/** Leaves the key's row as a process does that dies before it can store the response. */
async function removeResponse(shop: TestTenant): Promise<void> {
  await app.db.pool.query(
    `update idempotency_keys set answer = null, held_until = now() - interval '1 s'
     where tenant_id = $1`,
    [shop.id],
  );
}

describe('a send with an Idempotency-Key', () => {
  test('goes out once; a retry gets the same response', async () => {
    const shop = await app.tenant();
    const first = await sendWith(shop, 'order-1');
    expect(first.status).toBe(200);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const again = await sendWith(shop, 'order-1', {
      message: text.message,
      type: text.type,
      phone_number: text.phone_number,
    });
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('is 422 if the key was used with another body or path', async () => {
    const shop = await app.tenant();
    await sendWith(shop, 'order-1');
    const other = await sendWith(shop, 'order-1', { ...text, message: 'Bye' });
    expect(other.status).toBe(422);
    expect(other.body.errors).toEqual({
      'Idempotency-Key': ['was used for another request; use a new key'],
    });
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('goes out once when 50 arrive at once, and all get its response', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { delayMs: 100 });
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => sendWith(shop, 'order-1')),
    );
    expect(
      new Set(responses.map((response) => JSON.stringify([response.status, response.body]))),
    ).toEqual(new Set([JSON.stringify([200, responses[0]!.body])]));
    const replayed = responses.filter(
      (response) => response.headers['idempotency-replayed'] === 'true',
    );
    expect(replayed).toHaveLength(49);
    expect(await onThePhone(app, shop)).toHaveLength(1);
    expect(await statusesOf(shop)).toHaveLength(1);
  });

  test('is independent of the same key of another token', async () => {
    const shop = await app.tenant();
    const { value } = await createToken(app.db, shop.id, {
      name: 'second',
      abilities: ['all'],
      active: true,
    });
    const one = await sendWith(shop, 'order-1');
    const two = await call(app, 'POST', `/api/${shop.slug}/messages/send`, text, {
      authorization: `Bearer ${value}`,
      'idempotency-key': 'order-1',
    });
    expect(two.status).toBe(200);
    expect(two.body.data.message_id).not.toBe(one.body.data.message_id);
    expect(await onThePhone(app, shop)).toHaveLength(2);
  });

  test('keeps its response for a day from the first request, and no longer', async () => {
    const shop = await app.tenant();
    const first = await sendWith(shop, 'order-1');
    await app.moveClock(dayMs - 60_000);
    const within = await sendWith(shop, 'order-1');
    expect(within.body).toEqual(first.body);
    await app.moveClock(61_000);
    const after = await sendWith(shop, 'order-1', { ...text, message: 'Next day' });
    expect(after.status).toBe(200);
    expect(after.headers['idempotency-replayed']).toBeUndefined();
    expect(await onThePhone(app, shop)).toHaveLength(2);
  });

  test.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('is 400 with the key "%s"', async (key) => {
    const shop = await app.tenant();
    const response = await sendWith(shop, key);
    expect(response.status).toBe(400);
    expect(response.body.errors).toHaveProperty('Idempotency-Key');
    expect(await statusesOf(shop)).toEqual([]);
    // The key is checked before the fields of the body.
    expect((await sendWith(shop, key, {})).status).toBe(400);
  });

  test('that was not valid can be corrected and sent again with the same key', async () => {
    const shop = await app.tenant();
    expect((await sendWith(shop, 'order-1', { ...text, message: '' })).status).toBe(422);
    expect((await sendWith(shop, 'order-1', { ...text, phone_number: '+1415555' })).status).toBe(
      422,
    );
    expect((await refusedByUs(shop)).status).toBe(422);
    // This attempt has an effect, even if no response is stored.
    await misbehave(app, shop, { delayMs: 300 });
    const sending = sendWith(shop, 'order-1');
    await eventually(async () => (await statusesOf(shop)).length === 1);
    await removeResponse(shop);
    await sendWith(shop, 'order-1');
    await sending;
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('counts its replays against the minute, whose limit is checked first', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    await moveToFreshMinute(app);
    const first = await sendWith(shop, 'order-1');
    expect(first.headers['ratelimit-remaining']).toBe('59');
    const second = await sendWith(shop, 'order-1');
    expect(second.headers['ratelimit-remaining']).toBe('58');
    expect(second.headers['x-message-quota-remaining']).toBe('999');
    await Promise.all(Array.from({ length: 60 }, () => shop.call('GET', '/messages/none')));
    const over = await sendWith(shop, 'order-1');
    expect(over.status).toBe(429);
    expect(over.headers['idempotency-replayed']).toBeUndefined();
    const mismatch = await sendWith(shop, 'order-1', { ...text, message: 'other' });
    expect(mismatch.status).toBe(429);
    expect((await sendWith(shop, 'order-2')).status).toBe(429);
    const { rows } = await app.db.pool.query(
      'select key from idempotency_keys where tenant_id = $1',
      [shop.id],
    );
    expect(rows).toEqual([{ key: 'order-1' }]);
  });
});

describe('a send that failed', () => {
  test('is not sent again if the network refused it', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { failWith: 131030, count: 1 });
    const first = await sendWith(shop, 'order-1');
    expect(first.status).toBe(422);
    const again = await sendWith(shop, 'order-1');
    expect({ status: again.status, body: again.body }).toEqual({ status: 422, body: first.body });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await statusesOf(shop)).toEqual(['failed']);
  });

  test('because of a problem of the network is sent again by the next request', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { status: 500, count: 1 });
    expect((await sendWith(shop, 'order-1')).status).toBe(500);
    const other = { ...text, message: 'Nothing was sent, so it may be another one' };
    const again = await sendWith(shop, 'order-1', other);
    expect(again.status).toBe(200);
    expect((await sendWith(shop, 'order-1', other)).body).toEqual(again.body);
    expect(await statusesOf(shop)).toEqual(['failed', expect.any(String)]);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('gives its response to all requests that waited for it', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { status: 500, delayMs: 200 });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => sendWith(shop, 'order-1')),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([500]));
    for (const response of responses)
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(await statusesOf(shop)).toEqual(['failed']);
  });

  test('with an unknown outcome is never sent again, and is reported as sent once a callback settles it', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, {
      answer: 'drop-after-accept',
      callbacks: false,
      stepMs: 1,
      count: 1,
    });
    expect((await sendWith(shop, 'order-1')).status).toBe(500);
    const early = await sendWith(shop, 'order-1');
    expect(early.status).toBe(500);
    expect(early.body.message).toMatch(/may have been sent/);

    await readOnThePhone(app, shop, text.phone_number);
    await eventually(async () => (await statusesOf(shop))[0] === 'read');
    const late = await sendWith(shop, 'order-1');
    expect(late.headers['idempotency-replayed']).toBe('true');
    expect(late.body).toMatchObject({ success: true, data: { status: 'sent' } });
    expect((await onThePhone(app, shop)).map((each) => each.wamid)).toEqual([
      late.body.data.message_id,
    ]);
  });
});

describe('a process that dies', () => {
  test('after the network accepted the message leaves an outcome that the retry finds', async () => {
    const shop = await app.tenant();
    const first = await sendWith(shop, 'order-1');
    await removeResponse(shop);
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendWith(shop, 'order-1')));
    for (const response of responses) {
      expect(response.headers['idempotency-replayed']).toBe('true');
      expect(response.body).toEqual(first.body);
    }
    expect(await onThePhone(app, shop)).toHaveLength(1);

    // A callback has reported in the meantime that the message did not arrive.
    await app.db.pool.query(`update stored_messages set status = 'failed' where tenant_id = $1`, [
      shop.id,
    ]);
    await removeResponse(shop);
    expect((await sendWith(shop, 'order-1')).body).toEqual(first.body);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('after the network refused it lets the next request send', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { failWith: 131030, count: 1 });
    await sendWith(shop, 'order-1');
    await removeResponse(shop);
    expect((await sendWith(shop, 'order-1')).status).toBe(200);
    expect(await statusesOf(shop)).toEqual(['failed', expect.any(String)]);
  });

  test('leaves an outcome that is found even if the clock was set back', async () => {
    const shop = await app.tenant();
    await app.moveClock(3_600_000);
    const first = await sendWith(shop, 'order-1');
    await removeResponse(shop);
    await app.moveClock(-3_600_000);
    const again = await sendWith(shop, 'order-1');
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('does not hold its key longer because the clock was set back', async () => {
    const shop = await app.tenant();
    const first = await sendWith(shop, 'order-1');
    await app.db.pool.query(
      `update idempotency_keys set answer = null, held_until = now() + interval '1 hour'
       where tenant_id = $1`,
      [shop.id],
    );
    expect((await sendWith(shop, 'order-1')).body).toEqual(first.body);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('leaves its key unusable for another request', async () => {
    const shop = await app.tenant();
    await sendWith(shop, 'order-1');
    await removeResponse(shop);
    const other = await sendWith(shop, 'order-1', { ...text, message: 'Bye' });
    expect(other.status).toBe(422);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });
});

describe('a contact deleted before the request is retried', () => {
  async function deleteContact(shop: TestTenant): Promise<void> {
    const { body } = await shop.call('POST', '/contacts', {
      firstname: 'Ada',
      phone: text.phone_number,
    });
    expect((await shop.call('DELETE', `/contacts/${body.data.id}`)).status).toBe(200);
    await purgeConversations(app.db);
    expect(await statusesOf(shop)).toEqual([]);
  }

  test('takes a message of unknown outcome with it, which is still not sent again', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { answer: 'drop-after-accept', callbacks: false });
    await sendWith(shop, 'order-1');
    await deleteContact(shop);
    for (let time = 0; time < 2; time++) {
      const again = await sendWith(shop, 'order-1');
      expect(again.status).toBe(500);
      // Nothing is left to wait for or to look up.
      expect(again.body).toEqual({
        success: false,
        message: expect.stringMatching(/deleted with its contact, and may have been sent/),
        errors: {},
        code: 'outcome_unknown',
      });
      expect(again.headers['retry-after']).toBeUndefined();
    }
    expect(await onThePhone(app, shop)).toHaveLength(1);
    expect(await statusesOf(shop)).toEqual([]);

    await app.moveClock(dayMs + 60_000);
    await misbehave(app, shop, { answer: null });
    // The key is unused again: a request that is not valid can be corrected.
    expect((await refusedByUs(shop)).status).toBe(422);
    expect((await sendWith(shop, 'order-1')).status).toBe(200);
    await removeResponse(shop);
    expect((await sendWith(shop, 'order-1')).headers['idempotency-replayed']).toBe('true');
    expect(await onThePhone(app, shop)).toHaveLength(2);
  });

  test('takes the message of a dead process with it, which is not sent again either', async () => {
    const shop = await app.tenant();
    await sendWith(shop, 'order-1');
    await removeResponse(shop);
    await deleteContact(shop);
    expect((await sendWith(shop, 'order-1')).body.message).toMatch(/may have been sent/);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('takes a message that the network refused with it, which may be sent', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { failWith: 131030, count: 1 });
    await sendWith(shop, 'order-1');
    await removeResponse(shop);
    await deleteContact(shop);
    expect((await sendWith(shop, 'order-1')).status).toBe(200);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('leaves the stored response as it is', async () => {
    const shop = await app.tenant();
    const first = await sendWith(shop, 'order-1');
    await deleteContact(shop);
    const again = await sendWith(shop, 'order-1');
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });
});

test('a delayed request sends nothing once another attempt has its key', async () => {
  const shop = await app.tenant();
  // The server of the image refuses the second request, responds to the third, and to the first
  // after that.
  const held: ServerResponse[] = [];
  const files = createServer((_request, response) => {
    if (held.push(response) === 2) response.writeHead(404).end();
    else if (held.length === 3) respondWithFile(response);
  });
  files.listen(0, '127.0.0.1');
  await once(files, 'listening');
  onTestFinished(() => {
    files.close();
  });
  const { port } = files.address() as AddressInfo;
  const image = { ...text, type: 'image', media_url: `http://127.0.0.1:${port}/a.png` };
  const path = '/messages/media';
  const send = () => shop.call('POST', path, image, { 'idempotency-key': 'order-1' });

  const elsewhere = await buildApp(app.services);
  onTestFinished(() => elsewhere.close());
  const first = call({ ...app, app: elsewhere }, 'POST', `/api/${shop.slug}${path}`, image, {
    authorization: `Bearer ${shop.token}`,
    'idempotency-key': 'order-1',
  });
  await eventually(async () => held.length === 1);
  // This looks as if its process had been suspended, or without a database, for longer than its lease.
  await removeResponse(shop);
  expect((await send()).status).toBe(422);
  const third = await send();
  expect(third.status).toBe(200);
  respondWithFile(held[0]!);
  expect((await first).status).toBe(500);
  expect(await onThePhone(app, shop)).toHaveLength(1);
  expect((await send()).body).toEqual(third.body);
});

function respondWithFile(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1000' });
  response.end(Buffer.alloc(1_000));
}

test('without a key every request sends a message', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/messages/send', text);
  await shop.call('POST', '/messages/send', text);
  expect(await onThePhone(app, shop)).toHaveLength(2);
  const { rows } = await app.db.pool.query('select from idempotency_keys where tenant_id = $1', [
    shop.id,
  ]);
  expect(rows).toEqual([]);
});

test('many keys at once do not block each other', async () => {
  const shop = await app.tenant();
  const keys = Array.from({ length: 40 }, () => randomUUID());
  const responses = await Promise.all([...keys, ...keys].map((key) => sendWith(shop, key)));
  expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200));
  expect(await onThePhone(app, shop)).toHaveLength(40);
});
