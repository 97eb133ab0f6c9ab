import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import {
  contactsOf,
  eventsOf,
  fixture,
  post,
  processPosts,
  sendCustom,
  sendWoo,
  settled,
  shopWithTemplate,
  wooHeaders,
} from '../../../test/features/stores.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import { onThePhone, readOnThePhone } from '../../../test/servers/phone.ts';
import { purgeConversations } from '../../messages/erasing/purge-conversations.ts';
import { automatedSenderOf } from '../../messages/sending/automated/automated-sender-of.ts';
import { renewLeases } from '../../platform/jobs/renew-leases.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import type { StoreEventRow } from '../activity/event-queries.ts';
import { storeActivity } from '../activity/metric-queries.ts';
import { mapTopic, topicActions } from '../map-topic.ts';
import type { StoreRow } from '../queries.ts';
import type { ContactMode } from '../schema.ts';
import { type ClaimedEvent, claimStoreEvents, storeEventQueue } from './claim-events.ts';
import { type EventServices, type Outcome, processEvent } from './process-event.ts';
import { postponeStoreEvent, settleStoreEvents } from './settle-events.ts';

const app = testApp({ PARLEY_STORE_SCHEDULE: '0.2,0.2' });
const order = fixture('woocommerce-order.json');
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

describe('a message for an event', () => {
  test('is the template, with fields from the payload by path, format and default', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    const event = await sendWoo(app, store, 'order.created', order);
    const [message] = await onThePhone(app, shop);
    expect(event).toMatchObject({ state: 'done', message_id: message.wamid });
    expect(message.rendered.body).toBe(
      'Hello Jürgen, your order €1,234.50 has left our warehouse and should reach you on Nov 2, 2026.',
    );
    expect(await counts(store)).toMatchObject({ verified: 1, done: 1, messages_sent: 1 });
  });

  test('is sent once for an order that the store posts repeatedly, and again if it says something else', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', {
      fields: [{ path: 'billing.first_name' }, { path: 'status' }, { path: 'date_created' }],
    });
    const { template, contact } = (await topicActions(app.db, shop.id, store.id))['order.created'];
    await mapTopic(app.db, shop.id, store.id, 'order.updated', { template, contact });
    for (const topic of ['order.created', 'order.updated']) {
      await sendWoo(app, store, topic, order);
      expect(await sendWoo(app, store, topic, order)).toMatchObject({
        state: 'done',
        reason: expect.stringMatching(/earlier post/),
        message_id: null,
      });
    }
    expect(await onThePhone(app, shop)).toHaveLength(2);
    const paid = order.toString().replace('processing', 'completed');
    await sendWoo(app, store, 'order.created', paid);
    expect(await onThePhone(app, shop)).toHaveLength(2);
    await sendWoo(app, store, 'order.updated', paid);
    expect(await onThePhone(app, shop)).toHaveLength(3);
    // WooCommerce saves an order several times around a checkout. The message shows nothing of what changed.
    const saved = paid
      .replace(
        '"date_modified_gmt": "2026-11-02T09:15:07"',
        '"date_modified_gmt": "2026-11-02T09:15:09"',
      )
      .replace(
        '"meta_data": []',
        '"meta_data": [{"id": 9, "key": "_stock_reduced", "value": "yes"}]',
      );
    expect(saved).not.toBe(paid);
    expect(await sendWoo(app, store, 'order.updated', saved)).toMatchObject({
      state: 'done',
      reason: expect.stringMatching(/earlier post/),
    });
    expect(await onThePhone(app, shop)).toHaveLength(3);
  });

  test('is sent only in the state of the order that the mapping names, and then once', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.updated', {
      fields: [{ path: 'billing.first_name' }, { path: 'number' }, { path: 'date_created' }],
      only_if: { path: 'status', values: ['Completed', 'delivered'] },
    });
    const orderIn = (status: string) => order.toString().replace('"processing"', `"${status}"`);
    for (const status of ['pending', 'processing']) {
      expect(await sendWoo(app, store, 'order.updated', orderIn(status))).toMatchObject({
        state: 'done',
        reason: `status is "${status}". The message is sent only for: Completed, delivered.`,
        contact_id: expect.any(Number),
        message_id: null,
      });
    }
    const completed = await sendWoo(app, store, 'order.updated', orderIn('completed'));
    expect(completed).toMatchObject({ state: 'done', reason: null });
    expect(completed.message_id).not.toBeNull();
    expect(await sendWoo(app, store, 'order.updated', orderIn('delivered'))).toMatchObject({
      reason: expect.stringMatching(/earlier post/),
    });
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('can wait for any value; without a contact to write, there is nothing to do until then', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.updated', {
      only_if: { path: 'date_completed', values: [] },
    });
    const { template } = (await topicActions(app.db, shop.id, store.id))['order.updated'];
    const contact = { mode: 'none' as const };
    await mapTopic(app.db, shop.id, store.id, 'order.updated', { template, contact });
    const completed = order
      .toString()
      .replace('"processing"', '"completed", "date_completed": "2026-11-02T12:00:00"');
    expect(await sendWoo(app, store, 'order.updated', order)).toMatchObject({
      state: 'nothing_to_do',
      reason: 'The message is sent only if the payload has a value at date_completed.',
    });
    expect(await onThePhone(app, shop)).toEqual([]);
    expect(await sendWoo(app, store, 'order.updated', completed)).toMatchObject({ state: 'done' });
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  describe('of an update', () => {
    /** The order as it was saved so many seconds after its creation. */
    const saved = (seconds: number, status = 'processing') =>
      order
        .toString()
        .replace('09:15:07', `09:15:${10 + seconds}`)
        .replace('"processing"', `"${status}"`);
    const shopOfUpdates = (platform = 'woocommerce') =>
      shopWithTemplate(app, 'order.updated', {
        platform,
        fields: [{ path: 'id' }, { path: 'status' }, { path: 'currency' }],
      });
    const statuses = async (shop: TestTenant) =>
      (await onThePhone(app, shop)).map(
        ({ rendered }) => /processing|cancelled/.exec(rendered.body)![0],
      );
    /** Posts an order whose message the network refuses once, and delays its retry. */
    async function failOnce(shop: TestTenant, store: StoreRow, body: string): Promise<number> {
      await misbehave(app, shop, { failWith: 131016, count: 1 });
      const waits = (event: StoreEventRow) => event.state === 'failed';
      await stopProcessing();
      const grants = [{ tenantId: shop.id, limit: 1 }];
      await post(app, store, body, wooHeaders('order.updated', body));
      const [claimed] = await claimStoreEvents(app.db, grants, { leaseMs: 60_000 });
      const outcome = await processEvent(servicesOf(), claimed!);
      expect(outcome).toMatchObject({ state: 'failed', again: true });
      await settleStoreEvents(app.db.batched, [
        {
          ...keyOf(claimed!),
          ...(outcome as Outcome),
          contactId: null,
          resourceNumber: null,
          phone: null,
          retryInMs: 3_600_000,
          messagesSent: 0,
        },
      ]);
      stopProcessing = processPosts(app);
      expect((await eventsOf(app, store)).find(waits)).toMatchObject({ id: claimed!.id });
      return claimed!.id;
    }
    async function retry(store: StoreRow, id: number): Promise<StoreEventRow> {
      await app.db.pool.query(
        'update store_events set due_at = now() where store_id = $1 and id = $2',
        [store.id, id],
      );
      return eventually(async () =>
        (await eventsOf(app, store)).find((event) => event.id === id && settled(event)),
      );
    }

    test('that failed is sent by the next post with the same text, and not by its own retry', async () => {
      const { shop, store } = await shopOfUpdates();
      const failed = await failOnce(shop, store, saved(0));
      expect(await sendWoo(app, store, 'order.updated', saved(2))).toMatchObject({
        state: 'done',
        reason: null,
        message_id: expect.any(String),
      });
      expect(await retry(store, failed)).toMatchObject({
        state: 'done',
        reason: expect.stringMatching(/earlier post/),
      });
      expect(await statuses(shop)).toEqual(['processing']);
    });

    test('that may have been sent when the store posts the order again is only sent by its retry, once it has failed', async () => {
      const { shop, store } = await shopOfUpdates();
      const failed = await failOnce(shop, store, saved(0));
      const setStatus = (status: string) =>
        app.db.pool.query(
          'update stored_messages set status = $1::message_status where tenant_id = $2',
          [status, shop.id],
        );
      for (const [seconds, status] of ['unknown', 'accepting'].entries()) {
        await setStatus(status);
        expect(await sendWoo(app, store, 'order.updated', saved(seconds + 1))).toMatchObject({
          state: 'done',
          reason: expect.stringMatching(/earlier post/),
          message_id: null,
        });
      }
      await setStatus('failed');
      expect(await retry(store, failed)).toMatchObject({ state: 'done', reason: null });
      expect(await statuses(shop)).toEqual(['processing']);
    });

    test('that failed is sent once if its retry and the next posts are processed at the same time', async () => {
      const { shop, store } = await shopOfUpdates();
      await failOnce(shop, store, saved(0));
      await stopProcessing();
      for (const seconds of [1, 2]) {
        await post(app, store, saved(seconds), wooHeaders('order.updated', saved(seconds)));
      }
      await app.db.pool.query('update store_events set due_at = now() where store_id = $1', [
        store.id,
      ]);
      const grants = [{ tenantId: shop.id, limit: 3 }];
      const claimed = await claimStoreEvents(app.db, grants, { leaseMs: 60_000 });
      expect(claimed).toHaveLength(3);
      await Promise.all(claimed.map((event) => processEvent(servicesOf(), event)));
      stopProcessing = processPosts(app);
      expect(await statuses(shop)).toEqual(['processing']);
    });

    test('that failed is not sent by its retry if the buyer got a newer text meanwhile', async () => {
      const { shop, store } = await shopOfUpdates();
      const failed = await failOnce(shop, store, saved(0));
      await sendWoo(app, store, 'order.updated', saved(2, 'cancelled'));
      expect(await retry(store, failed)).toMatchObject({
        state: 'skipped',
        reason: expect.stringMatching(/newer post/),
      });
      expect(await statuses(shop)).toEqual(['cancelled']);
    });

    test('that failed at the end of the schedule is sent by the next post with the same text', async () => {
      const { shop, store } = await shopOfUpdates();
      await misbehave(app, shop, { failWith: 131016 });
      const failed = await sendWoo(app, store, 'order.updated', saved(0));
      expect(failed).toMatchObject({ state: 'failed', attempts: 3 });
      await misbehave(app, shop, { failWith: null });
      await sendWoo(app, store, 'order.updated', saved(2));
      expect(await statuses(shop)).toEqual(['processing']);
    });

    test('is sent for a state that the order returns to', async () => {
      const { shop, store } = await shopOfUpdates();
      await sendWoo(app, store, 'order.updated', saved(0));
      await sendWoo(app, store, 'order.updated', saved(1, 'cancelled'));
      await sendWoo(app, store, 'order.updated', saved(2));
      await sendWoo(app, store, 'order.updated', saved(3));
      expect(await statuses(shop)).toEqual(['processing', 'cancelled', 'processing']);
    });

    test('that an earlier release sent is not sent again', async () => {
      const { shop, store } = await shopOfUpdates();
      await sendWoo(app, store, 'order.updated', saved(0));
      await app.db.pool.query(
        `update store_resources
         set resource_id = replace(resource_id, 'shop.example ', '') || ' ' || fingerprint,
           fingerprint = null, message_id = null
         where store_id = $1 and kind = 'told'`,
        [store.id],
      );
      await sendWoo(app, store, 'order.updated', saved(1));
      await sendWoo(app, store, 'order.updated', saved(2, 'cancelled'));
      await sendWoo(app, store, 'order.updated', saved(3));
      expect(await statuses(shop)).toEqual(['processing', 'cancelled', 'processing']);
    });

    test('without a time of the store is sent once for each text, because it may be an old one', async () => {
      const { shop, store } = await shopOfUpdates('custom');
      for (const status of ['processing', 'cancelled', 'processing']) {
        const body = { id: 7, status, currency: 'EUR', phone: '+14155550132', n: Math.random() };
        await sendCustom(app, store, 'order.updated', JSON.stringify(body));
      }
      expect(await statuses(shop)).toEqual(['processing', 'cancelled']);
    });
  });

  test('names the last item of a list, so that the second parcel of an order is reported too', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.updated', {
      fields: [
        { path: 'buyer.first_name' },
        { path: 'fulfillments.last.tracking_number' },
        { path: 'line_items.*.name' },
      ],
      platform: 'custom',
    });
    const customer = { first_name: 'Ann', phone: '+15742172009' };
    const line_items = [{ name: 'Tea' }, { name: 'Pot' }];
    for (const parcels of [['X1'], ['X1', 'Y2']]) {
      const fulfillments = parcels.map((tracking_number) => ({ tracking_number }));
      const body = JSON.stringify({ id: 7, customer, line_items, fulfillments });
      expect(await sendCustom(app, store, 'order.updated', body)).toMatchObject({ state: 'done' });
    }
    const bodies = (await onThePhone(app, shop)).map((each) => each.rendered.body);
    expect(bodies.sort()).toEqual(
      ['X1', 'Y2'].map((parcel) => expect.stringMatching(`${parcel}.*Tea, Pot`)),
    );
  });

  test('is not sent if the payload lacks a field without a default; the contact is created', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', {
      fields: [{ path: 'coupon.code' }],
    });
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/coupon\.code/),
      contact_id: expect.any(Number),
    });
    expect(await onThePhone(app, shop)).toEqual([]);
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'Jürgen' }]);
  });

  test('of a template that is not approved fails with the reason; the contact is created', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { name: 'no_such' });
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/no_such/),
      due_at: null,
    });
    expect(await contactsOf(shop)).toHaveLength(1);
  });

  test('whose file is temporarily unavailable is retried, and sent once; the contact is written once', async () => {
    const { shop, store } = await shopWithInvoice('upsert');
    const seen: unknown[] = [];
    const files = createServer(async (_request, response) => {
      const [contact] = await contactsOf(shop);
      seen.push(contact?.firstname);
      // Staff correct the contact after the first attempt, and delete it after the second.
      if (seen.length === 2) {
        await shop.call('PUT', `/contacts/${contact.id}`, { firstname: 'Corrected' });
      }
      if (seen.length === 3) await shop.call('DELETE', `/contacts/${contact.id}`);
      const status = seen.length < 3 ? 503 : 200;
      response.writeHead(status, { 'content-type': 'application/pdf' }).end('file');
    });
    await once(files.listen(0, '127.0.0.1'), 'listening');
    const { port } = files.address() as AddressInfo;
    const event = await sendWoo(app, store, 'order.created', withInvoice(port, '/file.pdf'));
    files.close();
    expect(event).toMatchObject({ state: 'done', attempts: 3, contact_id: expect.any(Number) });
    expect(seen).toEqual([undefined, 'Jürgen', 'Corrected']);
    expect(await contactsOf(shop)).toEqual([]);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('whose file does not exist is not retried', async () => {
    const files = createServer((_request, response) => response.writeHead(404).end());
    await once(files.listen(0, '127.0.0.1'), 'listening');
    const { port } = files.address() as AddressInfo;
    const { store } = await shopWithInvoice();
    const event = await sendWoo(app, store, 'order.created', withInvoice(port, '/none.pdf'));
    files.close();
    expect(event).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/HTTP 404/),
      attempts: 1,
    });
  });

  test.each<[string, (shop: TestTenant) => Promise<unknown>, RegExp]>([
    ['whose template is paused', pauseTemplate, /not approved.*PAUSED/],
    [
      'without a number to send from',
      (shop) => app.db.pool.query('delete from numbers where tenant_id = $1', [shop.id]),
      /no WhatsApp number/,
    ],
  ])('%s temporarily is retried', async (_name, change, reason) => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await change(shop);
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(reason),
      attempts: 3,
    });
  });

  test('that the network is too busy for is retried by the schedule, and sent once', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await misbehave(app, shop, { failWith: 131016, count: 2 });
    const event = await sendWoo(
      app,
      store,
      'order.created',
      order,
      (each) => each.state === 'done',
    );
    expect(event.attempts).toBe(3);
    expect(await onThePhone(app, shop)).toHaveLength(1);
    expect(await counts(store)).toMatchObject({ failed: 0, done: 1, messages_sent: 1 });
  });

  test('that the network keeps refusing fails at the end of the schedule', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await misbehave(app, shop, { failWith: 131016 });
    const event = await sendWoo(app, store, 'order.created', order, settled);
    expect(event).toMatchObject({ state: 'failed', attempts: 3 });
    expect(event.reason).toMatch(/131016/);
    expect(await counts(store)).toMatchObject({ failed: 1, messages_sent: 0 });
    await misbehave(app, shop, { failWith: null });
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({ state: 'done' });
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('whose response was lost is never sent again, and is shown as such', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await misbehave(app, shop, { answer: 'drop-after-accept', callbacks: false, count: 1 });
    const event = await sendWoo(app, store, 'order.created', order, settled);
    expect(event).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/may have been sent/),
      attempts: 1,
    });
    expect(await onThePhone(app, shop)).toHaveLength(1);

    // A later status callback settles it, so that nobody sends it again.
    await readOnThePhone(app, shop, (await onThePhone(app, shop))[0].phone);
    const reported = await eventually(async () =>
      (await eventsOf(app, store)).find((each) => each.state === 'done'),
    );
    expect(reported).toMatchObject({ id: event.id, reason: null, message_id: expect.any(String) });
  });

  test('respects the network’s limit per phone; further messages fail and are not lost', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    // The network accepts 45 immediately and then one every six seconds: all of these would take 90 seconds.
    const orders = 60;
    await Promise.all(
      Array.from({ length: orders }, (_each, id) => {
        const body = order.toString().replace('2147483999', `${id + 1}`);
        return post(app, store, body, wooHeaders('order.created', body));
      }),
    );
    const events = await eventually(async () => {
      const all = await eventsOf(app, store);
      return all.length === orders && all.every(settled) && all;
    });
    const beyond = events.filter((each) => each.state === 'failed');
    expect(beyond[0]!.reason).toMatch(/too many|throughput|rate limit/);
    expect(await onThePhone(app, shop)).toHaveLength(orders - beyond.length);
  });

  test('is not sent again by a process that finds it stored', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await misbehave(app, shop, { callbacks: false });
    await sendWoo(app, store, 'order.created', order);
    // As if a process had died between the network's response and the storage of the outcome.
    for (const [status, outcome] of [
      ['sent', { state: 'done' }],
      ['unknown', { state: 'failed', reason: expect.stringMatching(/may have been sent/) }],
    ] as const) {
      await app.db.pool.query(
        `update stored_messages set status = $1, network_id = case when $1::message_status = 'sent' then network_id end
         where tenant_id = $2`,
        [status, shop.id],
      );
      // Other processes may have checked it often while it was being sent.
      await app.db.pool.query(
        `update store_events set state = 'waiting', due_at = now(), attempts = 100
         where store_id = $1`,
        [store.id],
      );
      const event = await eventually(async () => (await eventsOf(app, store)).find(settled));
      expect(event).toMatchObject(outcome);
    }
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('is not sent again by a process that finds it deleted with its contact', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await misbehave(app, shop, { answer: 'drop-after-accept', callbacks: false });
    await sendWoo(app, store, 'order.created', order, settled);
    // As if its process had died before it stored the outcome. A settled event is deleted with the contact.
    const waitFor = (hours: number) =>
      app.db.pool.query(
        `update store_events set state = 'waiting', due_at = now() + $2 * interval '1 h'
         where store_id = $1`,
        [store.id, hours],
      );
    await waitFor(1);
    const [contact] = await contactsOf(shop);
    await shop.call('DELETE', `/contacts/${contact.id}`);
    await purgeConversations(app.db);
    await waitFor(0);
    const event = await eventually(async () => (await eventsOf(app, store)).find(settled));
    expect(event).toMatchObject({ state: 'done', reason: expect.stringMatching(/deleted/) });
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test('is given up if every attempt kills its process', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await stopProcessing();
    await post(app, store, order, wooHeaders('order.created', order));
    await app.db.pool.query('update store_events set attempts = 8 where store_id = $1', [store.id]);
    stopProcessing = processPosts(app);
    const event = await eventually(async () => (await eventsOf(app, store)).find(settled));
    expect(event).toMatchObject({ state: 'failed', reason: 'Every attempt was interrupted.' });
    expect(await onThePhone(app, shop)).toEqual([]);
  });

  test('is sent once if a delayed process continues after its lease has expired', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await misbehave(app, shop, { callbacks: false });
    await stopProcessing();
    const grants = [{ tenantId: shop.id, limit: 1 }];
    const timing = { leaseMs: 0 };
    await post(app, store, order, wooHeaders('order.created', order));
    const [heldUp] = await claimStoreEvents(app.db, grants, timing);
    const [second] = await claimStoreEvents(app.db, grants, timing);
    const services = servicesOf();
    await expect(processEvent(services, heldUp!)).rejects.toThrow('has claimed the event');
    const broken = {
      state: 'failed' as const,
      reason: null,
      contactId: null,
      resourceNumber: null,
      phone: null,
      retryInMs: null,
    };
    const late = { ...keyOf(heldUp!), ...broken, messagesSent: 0 };
    const [{ due_at } = {}] = await eventsOf(app, store);
    await settleStoreEvents(app.db.batched, [late]);
    await postponeStoreEvent(app.db, heldUp!, { ms: 60_000 });
    await renewLeases(app.db, storeEventQueue, [heldUp!], { leaseMs: 60_000 });
    expect(await eventsOf(app, store)).toMatchObject([{ state: 'waiting', due_at }]);
    expect(await processEvent(services, second!)).toMatchObject({ state: 'done' });

    // This looks as if the network's response had not arrived yet.
    await app.db.pool.query(
      `update stored_messages set status = 'accepting', network_id = null where tenant_id = $1`,
      [shop.id],
    );
    const [third] = await claimStoreEvents(app.db, grants, timing);
    expect(await processEvent(services, third!)).toBe('later');
    stopProcessing = processPosts(app);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });
});

/** What `processEvent` works with, for a test that claims the events itself. */
function servicesOf(): EventServices {
  const sender = automatedSenderOf(app.services);
  return { ...app.services, sender, withPermit: (work) => work() };
}

/** The key of a claimed event, as its result has it. */
function keyOf({ tenant_id: tenantId, store_id: storeId, id, attempts }: ClaimedEvent) {
  return { tenantId, storeId, id, attempts };
}

/** Creates a store whose orders send the simulator's template with a file in its header. */
async function shopWithInvoice(mode: ContactMode = 'none') {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  await mapTopic(app.db, shop.id, store.id, 'order.created', {
    contact: { mode },
    template: {
      name: 'invoice_ready',
      language: 'en',
      fields: [{ path: 'id' }],
      header_media_path: 'invoice',
    },
  });
  return { shop, store };
}

async function pauseTemplate(shop: TestTenant): Promise<void> {
  await control(app, 'PATCH', '/simulator/templates', {
    business_account_id: shop.number.business_account_id,
    name: 'order_update',
    language: 'en',
    status: 'PAUSED',
  });
  await syncTemplates(app.services, shop.id);
}

function withInvoice(port: number, path: string): string {
  return JSON.stringify({
    ...JSON.parse(order.toString()),
    invoice: `http://127.0.0.1:${port}${path}`,
  });
}

/** Sums all hours, because a new hour may begin while a test runs. */
async function counts(store: StoreRow) {
  const [activity] = await storeActivity(app.db, store.tenant_id);
  return activity;
}
