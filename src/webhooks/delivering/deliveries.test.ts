import sql from 'sql-template-tag';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { testApp } from '../../../test/program/app.ts';
import { type Received, startReceiver } from '../../../test/servers/receiver.ts';
import { fault } from '../../platform/errors/fault.ts';
import { defaultEndpointOf } from '../endpoint-key.ts';
import { listAttempts, listDeliveries } from '../log/delivery-log-queries.ts';
import { redeliver } from '../log/redeliver.ts';
import { findWebhook, switchWebhookOff } from '../queries.ts';
import { recordEvents } from '../record-events.ts';
import { eventTypes } from '../schema.ts';
import { rotateSecret } from '../secrets/rotate-secret.ts';
import { sendTestEvent } from '../send-test-event.ts';
import { setWebhook } from '../set-webhook.ts';
import { lockAsClaimer } from './claimer-lock.ts';
import { type AttemptResult, recordAttempts } from './record-attempts.ts';
import { startDelivering } from './start-delivering.ts';

const app = testApp({
  PARLEY_WEBHOOK_SCHEDULE: '0,0.1,0.1,0.1',
  PARLEY_WEBHOOK_TIMEOUT_MS: '5000',
});
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  stop = startDelivering(app.services);
});
beforeEach(async () => {
  await app.setClock(0);
  receiver.answer = (_received, response) => response.writeHead(204).end();
});
afterAll(async () => {
  await stop();
  await receiver.close();
});

let count = 0;

/** Creates a tenant with a webhook at a path of its own, and functions to inspect its deliveries. */
async function shopWithWebhook(url = `${receiver.url}/${++count}`) {
  const { id } = await app.tenant({ number: false });
  const { secret } = await setWebhook(app.services, id, { url });
  return {
    id,
    secret,
    url,
    received: () => receiver.received.filter((each) => each.path === new URL(url).pathname),
    record: (data: object = { id: 1 }) =>
      recordEvents(app.db, id, [{ type: 'contact.created', data }]),
    log: async () => {
      const deliveries = await listDeliveries(app.db, defaultEndpointOf(id), {}, 1000);
      const ids = deliveries.map((each) => each.id);
      return { deliveries, attempts: await listAttempts(app.db, id, ids) };
    },
    /** Waits until the newest delivery is in this state. */
    settled: (state: string) =>
      eventually(async () => {
        const [newest] = await listDeliveries(app.db, defaultEndpointOf(id), {}, 1);
        return newest?.state === state && newest;
      }),
  };
}

function verify(received: Received, secret: string): unknown {
  return new Webhook(secret).verify(received.raw, received.headers as Record<string, string>);
}

describe('a delivery', () => {
  test('has the event, with a signature that a standard library verifies', async () => {
    const shop = await shopWithWebhook();
    for (const type of eventTypes) {
      await recordEvents(app.db, shop.id, [{ type, data: { id: 7, firstname: 'Zoë "Z"' } }]);
    }
    await eventually(async () => shop.received().length === eventTypes.length);
    for (const received of shop.received()) {
      expect(verify(received, shop.secret)).toEqual({
        event: expect.stringMatching(/^[a-z]+\.[a-z]+$/),
        data: { id: 7, firstname: 'Zoë "Z"' },
      });
      expect(received.headers['content-type']).toBe('application/json');
    }
    const events = shop.received().map(({ body }) => body.event);
    expect(events.sort()).toEqual([...eventTypes].sort());
    const ids = shop.received().map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(eventTypes.length);
  });

  test('is made for each contact of a list', async () => {
    const shop = await app.tenant({ number: false });
    const url = `${receiver.url}/${++count}`;
    await setWebhook(app.services, shop.id, { url, events: ['contact.read'] });
    for (const firstname of ['Ann', 'Ben "B" ü', 'Cem']) {
      const phone = `+1415555${String(1000 + count++).padStart(4, '0')}`;
      expect((await shop.call('POST', '/contacts', { firstname, phone })).status).toBe(200);
    }
    const { data } = (await shop.call('GET', '/contacts')).body;
    const received = () => receiver.received.filter(({ path }) => url.endsWith(path));
    await eventually(async () => received().length === 3);
    const byId = received().toSorted((a, b) => Number(a.body.data.id) - Number(b.body.data.id));
    expect(byId.map(({ body }) => body)).toEqual(
      data.map((contact: object) => ({ event: 'contact.read', data: contact })),
    );
    expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  });

  test('is retried by the schedule with the same id and bytes until it succeeds', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) => {
      const first = shop.received().length < 3;
      response.writeHead(first ? 500 : 200).end(first ? 'not yet\0' : 'thanks');
    };
    await shop.record();
    expect(await shop.settled('delivered')).toMatchObject({
      reason: null,
      attempts: 3,
      next_try_at: null,
      finished_at: expect.any(Date),
    });
    const received = shop.received();
    expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(received[2]!.at - received[0]!.at).toBeGreaterThanOrEqual(200);
    const { attempts } = await shop.log();
    expect(attempts).toMatchObject([
      {
        number: 1,
        status: 500,
        answer: 'not yet\uFFFD',
        reason: 'The receiver responded with 500.',
      },
      { number: 2, status: 500, next_try_at: expect.any(Date) },
      { number: 3, status: 200, answer: 'thanks', reason: null, next_try_at: null },
    ]);
  });

  test('fails permanently after the last attempt, and can be redelivered', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) => response.writeHead(503).end();
    await shop.record();
    await shop.record({ id: 2 });
    const failed = await shop.settled('failed');
    expect(failed).toMatchObject({ attempts: 4, reason: 'The receiver responded with 503.' });
    await eventually(async () =>
      (await shop.log()).deliveries.every(({ state }) => state === 'failed'),
    );
    expect(shop.received()).toHaveLength(8);

    receiver.answer = (_received, response) => response.writeHead(200).end();
    expect(await redeliver(app.services, defaultEndpointOf(shop.id), { id: failed.id })).toBe(1);
    await shop.settled('delivered');
    expect(await redeliver(app.services, defaultEndpointOf(shop.id), { failed: true })).toBe(1);
    // The last result is stored after the response arrived.
    const { attempts } = await eventually(async () => {
      const log = await shop.log();
      return log.deliveries.every(({ state }) => state === 'delivered') && log;
    });
    expect(attempts.map(({ number }) => number).sort()).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    expect(shop.received()).toHaveLength(10);
    const ids = new Set(shop.received().map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(2);
  });

  test('that is redelivered during its last attempt gets the whole schedule again', async () => {
    const shop = await shopWithWebhook();
    let respondLast = () => {};
    receiver.answer = (_received, response) => {
      const attempts = shop.received().length;
      if (attempts === 4) respondLast = () => response.writeHead(500).end();
      else response.writeHead(attempts < 4 ? 500 : 200).end();
    };
    await shop.record();
    await eventually(async () => shop.received().length === 4);
    const [waiting] = (await shop.log()).deliveries;
    expect(await redeliver(app.services, defaultEndpointOf(shop.id), { id: waiting!.id })).toBe(1);
    respondLast();
    expect(await eventually(async () => shop.received().length === 5)).toBe(true);
    expect(await shop.settled('delivered')).toMatchObject({ attempts: 5 });
  });

  test('waits as long as Retry-After says', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end();
    const before = Date.now();
    await shop.record();
    const waiting = await eventually(async () => {
      const { deliveries } = await shop.log();
      return deliveries[0]?.attempts === 1 && deliveries[0];
    });
    expect(waiting.state).toBe('waiting');
    expect(waiting.next_try_at!.getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
    await app.setClock(3_601_000);
    receiver.answer = (_received, response) => response.writeHead(200).end();
    await shop.settled('delivered');
  });

  test('does not follow a redirect', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) =>
      response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
    await shop.record();
    expect((await shop.settled('failed')).reason).toBe(
      'The receiver responded with 302; redirects are not followed.',
    );
    expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  test('is aborted if the response takes too long to begin or to end', async () => {
    const silent = await shopWithWebhook();
    const dripping = await shopWithWebhook();
    receiver.answer = (received, response) => {
      if (`${receiver.url}${received.path}` === silent.url) return;
      response.writeHead(200).write('.');
    };
    // Test events are attempted only once.
    await Promise.all(
      [silent, dripping].map(({ id }) => sendTestEvent(app.services, defaultEndpointOf(id))),
    );
    await silent.settled('failed');
    await dripping.settled('failed');
    expect((await silent.log()).attempts[0]).toMatchObject({
      status: null,
      reason: 'No response within 5000 ms.',
    });
    expect((await dripping.log()).attempts[0]).toMatchObject({
      status: 200,
      reason: 'The response began but did not end within 5000 ms.',
    });
  });

  test('reads only the beginning of a long response', async () => {
    const shop = await shopWithWebhook();
    let written = 0;
    receiver.answer = (_received, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) written += 16_384;
      };
      response.on('drain', more);
      more();
    };
    await shop.record();
    await shop.settled('delivered');
    expect((await shop.log()).attempts[0]!.answer).toBe('x'.repeat(1_000));
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test('that a dead process had claimed is made immediately by the next', async () => {
    const shop = await shopWithWebhook();
    await stop();
    await shop.record();
    await leaseForAnHour(shop.id, 1);
    stop = startDelivering(app.services);
    await shop.settled('delivered');
    expect(shop.received()).toHaveLength(1);
  });

  test('that a living process has claimed is left alone until its lease expires', async () => {
    const shop = await shopWithWebhook();
    await stop();
    await shop.record();
    const other = await lockAsClaimer(app.db);
    await leaseForAnHour(shop.id, other.id);
    stop = startDelivering(app.services);
    // The next delivery to the same receiver is made, so the first one was skipped.
    await shop.record({ id: 2 });
    await shop.settled('delivered');
    expect(shop.received().map(({ body }) => body.data.id)).toEqual([2]);
    await app.setClock(3_601_000);
    await eventually(async () => shop.received().length === 2);
    await other.release();
  });

  test('that was made stays so, and a late 410 of a previous address does not switch the webhook off', async () => {
    const shop = await shopWithWebhook();
    await shop.record();
    const { id } = await shop.settled('delivered');
    await setWebhook(app.services, shop.id, { url: `${shop.url}/next` });
    const late: AttemptResult = {
      tenantId: shop.id,
      webhookId: 0,
      id,
      url: shop.url,
      tries: 0,
      startedAt: new Date(),
      durationMs: 1,
      outcome: 'gone',
      status: 410,
      reason: fault('for_a_test', 'The receiver responded with 410.'),
      response: null,
      retryInMs: null,
    };
    await recordAttempts(app.db.batched, [late], { offAfterMs: 0 });
    expect((await shop.log()).deliveries).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    expect((await findWebhook(app.db, defaultEndpointOf(shop.id)))!.off_since).toBeNull();
  });
});

const switchedOff = (tenantId: number) =>
  eventually(async () => {
    const found = await findWebhook(app.db, defaultEndpointOf(tenantId));
    return found?.off_since ? found : undefined;
  });

/** Imitates a process that claims deliveries and then does nothing. */
async function leaseForAnHour(tenantId: number, claimer: number) {
  await app.db.query(sql`
    update deliveries set leased_until = now() + interval '1 hour', leased_by = ${claimer}
    where tenant_id = ${tenantId}`);
}

describe('many deliveries', () => {
  test('are sent once each by several processes', async () => {
    const shop = await shopWithWebhook();
    const stopOther = startDelivering(app.services);
    const events = Array.from({ length: 50 }, (_, id) => ({
      type: 'contact.created' as const,
      data: { id },
    }));
    await Promise.all(
      Array.from({ length: 10 }, () => recordEvents(app.db, shop.id, events.splice(0, 5))),
    );
    await eventually(async () => shop.received().length >= 50);
    await stopOther();
    const { deliveries } = await shop.log();
    expect(deliveries).toHaveLength(50);
    const ids = shop.received().map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(50);
    expect(new Set(ids).size).toBe(50);
  });

  test('to a receiver that hangs do not delay other tenants', async () => {
    const hanging = await shopWithWebhook();
    const healthy = await shopWithWebhook();
    receiver.answer = (received, response) => {
      if (healthy.url.endsWith(received.path)) response.writeHead(204).end();
    };
    await recordEvents(
      app.db,
      hanging.id,
      Array.from({ length: 300 }, (_, id) => ({ type: 'contact.created' as const, data: { id } })),
    );
    await eventually(async () => hanging.received().length > 0);
    await healthy.record();
    await healthy.settled('delivered');
    const { deliveries } = await hanging.log();
    expect(deliveries.filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(200);
    expect(hanging.received().length).toBeLessThan(100);
    await switchWebhookOff(
      app.db,
      defaultEndpointOf(hanging.id),
      fault('for_a_test', 'end of test'),
    );
  });
});

describe('a webhook', () => {
  test('whose receiver is gone is switched off, and works again when it is set again', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) => response.writeHead(410).end();
    await shop.record();
    await shop.settled('failed');
    expect(await findWebhook(app.db, defaultEndpointOf(shop.id))).toMatchObject({
      off_since: expect.any(Date),
      off_reason: 'The receiver responded with 410 Gone.',
    });
    await shop.record();
    expect((await shop.log()).deliveries).toHaveLength(1);

    receiver.answer = (_received, response) => response.writeHead(200).end();
    const { secret } = await setWebhook(app.services, shop.id, { url: shop.url });
    expect(secret).toBe(shop.secret);
    await shop.record();
    await shop.settled('delivered');
    expect(await findWebhook(app.db, defaultEndpointOf(shop.id))).toMatchObject({
      off_since: null,
      off_reason: null,
    });
  });

  test('saved while it is off stays off, keeps its reason, and sends nothing', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) =>
      response.writeHead(500, { 'retry-after': '3600' }).end();
    await shop.record();
    await eventually(async () => (await shop.log()).attempts.length === 1);
    const off = await switchWebhookOff(
      app.db,
      defaultEndpointOf(shop.id),
      fault('for_a_test', 'It failed too long.'),
    );
    expect(
      await switchWebhookOff(
        app.db,
        defaultEndpointOf(shop.id),
        fault('for_a_test', 'Switched off by hand.'),
      ),
    ).toEqual(off);

    await app.setClock(2 * 3_600_000);
    receiver.answer = (_received, response) => response.writeHead(200).end();
    const { webhook } = await setWebhook(app.services, shop.id, {
      url: `${shop.url}/moved`,
      offReason: fault('for_a_test', 'Switched off in the dashboard.'),
    });
    expect(webhook).toMatchObject({
      url: `${shop.url}/moved`,
      off_since: expect.any(Date),
      off_reason: 'It failed too long.',
      failing_since: expect.any(Date),
    });

    const { webhook: on } = await setWebhook(app.services, shop.id, { url: shop.url });
    expect(on).toMatchObject({ off_since: null, failing_since: null });
    await shop.settled('delivered');
    expect(receiver.received.filter(({ path }) => path === `/${count}/moved`)).toEqual([]);
  });

  test('whose attempts all failed for five days is switched off with the reason', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) => response.writeHead(500).end();
    await shop.record();
    await shop.settled('failed');
    expect(await findWebhook(app.db, defaultEndpointOf(shop.id))).toMatchObject({
      failing_since: expect.any(Date),
      off_since: null,
    });
    const day = 86_400_000;
    for (const passed of [4 * day, 5 * day - 60_000]) {
      await app.setClock(passed);
      await shop.record();
      await shop.settled('failed');
      expect(await findWebhook(app.db, defaultEndpointOf(shop.id))).toMatchObject({
        off_since: null,
      });
    }
    await app.setClock(5 * day + 3_600_000);
    await shop.record();
    const webhook = await switchedOff(shop.id);
    expect(webhook.off_reason).toMatch(
      /^Every attempt has failed since \d{4}-\d\d-\d\d \d\d:\d\d UTC\. The last: The receiver responded with 500\.$/,
    );
    expect(webhook.off_says).toMatchObject({
      code: 'every_attempt_failed',
      text: webhook.off_reason,
      values: {
        since: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
        last: { code: 'receiver_refused', values: { status: '500' } },
      },
    });
  });

  test('that failed once, was idle for days and fails again is switched off only hours later', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) => response.writeHead(500).end();
    await sendTestEvent(app.services, defaultEndpointOf(shop.id));
    await shop.settled('failed');
    for (const hours of [144, 146]) {
      await app.setClock(hours * 3_600_000);
      await shop.record();
      await shop.settled('failed');
      expect(await findWebhook(app.db, defaultEndpointOf(shop.id))).toMatchObject({
        off_since: null,
      });
    }
    await app.setClock(150 * 3_600_000);
    await shop.record();
    await switchedOff(shop.id);
  });

  test('starts a new period of failures after a success', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) => response.writeHead(500).end();
    await shop.record();
    await shop.settled('failed');
    receiver.answer = (_received, response) => response.writeHead(200).end();
    await shop.record();
    await shop.settled('delivered');
    expect(await findWebhook(app.db, defaultEndpointOf(shop.id))).toMatchObject({
      failing_since: null,
    });
    receiver.answer = (_received, response) => response.writeHead(500).end();
    await shop.record();
    await shop.settled('failed');
    expect(await findWebhook(app.db, defaultEndpointOf(shop.id))).toMatchObject({
      failing_since: expect.any(Date),
    });
  });

  test('signs with both secrets for a day after a rotation', async () => {
    const shop = await shopWithWebhook();
    const { secret: next } = await rotateSecret(app.services, defaultEndpointOf(shop.id));
    await shop.record();
    await shop.settled('delivered');
    const [both] = shop.received();
    expect(() => verify(both!, shop.secret)).not.toThrow();
    expect(() => verify(both!, next)).not.toThrow();

    const signatures = async (ms: number) => {
      await app.setClock(ms);
      const count = shop.received().length;
      await shop.record();
      await eventually(async () => shop.received().length > count);
      return String(shop.received().at(-1)!.headers['webhook-signature']).split(' ').length;
    };
    expect(await signatures(24 * 3_600_000 - 60_000)).toBe(2);
    expect(await signatures(24 * 3_600_000 + 1_000)).toBe(1);
    const onlyNext = shop.received().at(-1)!;
    const realNow = Date.now;
    Date.now = () => realNow() + app.clock.offsetMs;
    try {
      expect(() => verify(onlyNext, next)).not.toThrow();
      expect(() => verify(onlyNext, shop.secret)).toThrow('No matching signature');
    } finally {
      Date.now = realNow;
    }
  });

  test('stops signing with the oldest of three secrets immediately', async () => {
    const shop = await shopWithWebhook();
    const { secret: second } = await rotateSecret(app.services, defaultEndpointOf(shop.id));
    const { secret: third } = await rotateSecret(app.services, defaultEndpointOf(shop.id));
    await shop.record();
    await shop.settled('delivered');
    const [delivered] = shop.received();
    expect(() => verify(delivered!, second)).not.toThrow();
    expect(() => verify(delivered!, third)).not.toThrow();
    expect(() => verify(delivered!, shop.secret)).toThrow('No matching signature');
  });

  test('can be tested with an event that is attempted once', async () => {
    const shop = await shopWithWebhook();
    receiver.answer = (_received, response) => response.writeHead(500).end();
    const id = await sendTestEvent(app.services, defaultEndpointOf(shop.id));
    expect(await shop.settled('failed')).toMatchObject({ id, event: 'webhook.test', attempts: 1 });
    expect(verify(shop.received()[0]!, shop.secret)).toMatchObject({ event: 'webhook.test' });
    for (let sent = 1; sent < 10; sent++)
      await sendTestEvent(app.services, defaultEndpointOf(shop.id));
    await expect(sendTestEvent(app.services, defaultEndpointOf(shop.id))).rejects.toThrow(
      '10 test events per minute',
    );
    // As if the clock had been set back.
    await app.db.query(sql`
      update deliveries set created_at = created_at + interval '1 hour'
      where tenant_id = ${shop.id}`);
    await sendTestEvent(app.services, defaultEndpointOf(shop.id));
  });
});
