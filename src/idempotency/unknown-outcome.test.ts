import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { call, type TestTenant, testApp } from '../../test/program/app.ts';
import { misbehave } from '../../test/servers/control.ts';
import { onThePhone, readOnThePhone } from '../../test/servers/phone.ts';
import { buildApp } from '../app.ts';
import { deleteExpiredKeys } from './queries.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

const send = (shop: TestTenant) =>
  shop.call('POST', '/messages/send', text, { 'idempotency-key': 'order-1' });

async function statusesOf(shop: TestTenant): Promise<string[]> {
  const { rows } = await app.db.pool.query<{ status: string }>(
    'select status from stored_messages where tenant_id = $1 order by id',
    [shop.id],
  );
  return rows.map(({ status }) => status);
}

/** The response to a retry while the network may still report the message. */
const notReportedYet = (id: number) => ({
  success: false,
  message: `The outcome is unknown: the message may have been sent. Retry with the same Idempotency-Key, which never sends it twice, or look it up with GET /messages/id:${id}.`,
  errors: {},
  code: 'outcome_unknown',
  data: { id },
});

/** The response once no report is expected any more. */
const neverReported = (id: number) => ({
  ...notReportedYet(id),
  message: `The network did not report within 5 minutes whether it took the message, so it may have been sent. This Idempotency-Key never sends it again. Look it up with GET /messages/id:${id}; to send it again, use a new key.`,
});

describe('a send with an Idempotency-Key whose outcome is unknown', () => {
  test.each([
    ['did not accept', 'drop', 0],
    ['accepted', 'drop-after-accept', 1],
  ])(
    'and that the network %s asks for retries for 5 minutes, and then no more',
    async (_, answer, messages) => {
      const shop = await app.tenant();
      await misbehave(app, shop, { answer, callbacks: false, count: 1 });
      const first = await send(shop);
      expect(first.status).toBe(500);
      const { id } = first.body.data;
      expect(first.body).toEqual(notReportedYet(id));
      expect(first.headers['retry-after']).toBe('5');

      await app.moveClock(4 * 60_000);
      const early = await send(shop);
      expect(early.status).toBe(500);
      expect(early.body).toEqual(notReportedYet(id));
      expect(early.headers['retry-after']).toBe('5');

      await app.moveClock(60_000);
      for (let time = 0; time < 2; time++) {
        const late = await send(shop);
        expect(late.status).toBe(500);
        expect(late.body).toEqual(neverReported(id));
        expect(late.headers['retry-after']).toBeUndefined();
        expect(late.headers['idempotency-replayed']).toBe('true');
      }
      expect((await shop.call('GET', `/messages/id:${id}`)).body.data.status).toBe('unknown');
      expect(await statusesOf(shop)).toEqual(['unknown']);
      expect(await onThePhone(app, shop)).toHaveLength(messages);
    },
  );

  test('is never sent again within a day, while expired keys are deleted', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { answer: 'drop-after-accept', callbacks: false, count: 1 });
    const { id } = (await send(shop)).body.data;
    await app.moveClock(23 * 3_600_000);
    await deleteExpiredKeys(app.db, 500);
    expect((await send(shop)).body).toEqual(neverReported(id));
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('is reported as sent when a callback settles it, however late', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, {
      answer: 'drop-after-accept',
      callbacks: false,
      stepMs: 1,
      count: 1,
    });
    const { id } = (await send(shop)).body.data;
    await app.moveClock(10 * 60_000);
    expect((await send(shop)).body).toEqual(neverReported(id));
    await readOnThePhone(app, shop, text.phone_number);
    await eventually(async () => (await statusesOf(shop))[0] === 'read');
    const settled = await send(shop);
    expect(settled.status).toBe(200);
    const [{ wamid }] = await onThePhone(app, shop);
    expect(settled.body.data).toMatchObject({ id, message_id: wamid, status: 'sent' });
    expect((await send(shop)).body).toEqual(settled.body);
  });

  test.each<[number, number, object]>([
    [
      131050,
      422,
      {
        errors: {
          phone_number: [
            expect.stringMatching(
              /^has opted out of marketing messages: .* \(network code 131050\)$/,
            ),
          ],
        },
      },
    ],
    [131009, 422, { message: expect.stringMatching(/network code 131009\)\.$/) }],
    [
      131000,
      500,
      {
        message: expect.stringMatching(
          /network code 131000\)\. The message failed; to send it again, use a new Idempotency-Key\.$/,
        ),
      },
    ],
  ])(
    'is reported as failed when a callback reports the failure %i',
    async (failWith, status, response) => {
      const shop = await app.tenant();
      await misbehave(app, shop, {
        answer: 'drop-after-accept',
        failWith,
        failAs: 'callback',
        stepMs: 1,
      });
      await send(shop);
      await eventually(async () => (await statusesOf(shop))[0] === 'failed');
      const settled = await send(shop);
      expect(settled.status).toBe(status);
      expect(settled.body).toMatchObject(response);
      expect(settled.headers['retry-after']).toBeUndefined();
      const again = await send(shop);
      expect({ status: again.status, body: again.body }).toEqual({ status, body: settled.body });
      expect(await statusesOf(shop)).toEqual(['failed']);
    },
  );
});

test('a send that never reached the network is sent by the next request with its Idempotency-Key', async () => {
  const shop = await app.tenant();
  const offline = await buildApp({ ...app.services, networkUrl: 'http://127.0.0.1:1' });
  onTestFinished(() => offline.close());
  const path = `/api/${shop.slug}/messages/send`;
  const first = await call({ ...app, app: offline }, 'POST', path, text, {
    authorization: `Bearer ${shop.token}`,
    'idempotency-key': 'order-1',
  });
  expect(first.status).toBe(500);
  expect(first.body.message).toMatch(/nothing was sent/);
  expect(first.body.code).toBe('network_unavailable');
  const again = await send(shop);
  expect(again.status).toBe(200);
  expect(again.body.data.status).toBe('sent');
  expect(await onThePhone(app, shop)).toHaveLength(1);
});
