import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { fixture, post, testStore, wooHeaders } from '../../test/features/stores.ts';
import { call, type TestTenant, testApp } from '../../test/program/app.ts';
import { startReceiver } from '../../test/servers/receiver.ts';
import { buildApp } from '../app.ts';
import { automatedSenderOf } from '../messages/sending/automated/automated-sender-of.ts';
import { openTracing } from '../platform/tracing/open-tracing.ts';
import { noTracing } from '../platform/tracing/tracing.ts';
import { createServices } from '../services.ts';
import { startProcessing } from '../stores/processing/start-processing.ts';
import { startDelivering } from '../webhooks/delivering/start-delivering.ts';
import { setWebhook } from '../webhooks/set-webhook.ts';

type Value = { stringValue?: string; intValue?: number | string };
type Span = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: Record<string, string>;
};

const app = testApp({ PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' });
let collector: Awaited<ReturnType<typeof startReceiver>>;
let traced: Awaited<ReturnType<typeof openTraced>>;

/** A second service on the same database, which sends traces to the collector. */
async function openTraced(url: string) {
  const tracing = await openTracing({ url, percent: 100, version: '1.0.0' });
  const { config, db, clock, log } = app.services;
  const services = createServices({
    ...{ config, db, clock, log, tracing },
    masterKeys: [app.masterKey],
    simulatorUrl: app.simulator.url,
  });
  const api = await buildApp(services);
  const stops = [
    startDelivering(services),
    startProcessing({ ...services, sender: automatedSenderOf(services) }),
  ];
  return {
    app: api,
    async close() {
      for (const stop of stops) await stop();
      await api.close();
      await services.network.close();
      await services.outbound.close();
      await services.files.close();
      await tracing.close();
    },
  };
}

beforeAll(async () => {
  collector = await startReceiver();
  traced = await openTraced(collector.url);
  return async () => {
    await traced.close();
    await collector.close();
  };
});

function spansSent(): Span[] {
  type Sent = { resourceSpans: { scopeSpans: { spans: (Span & { attributes: unknown })[] }[] }[] };
  return collector.received
    .flatMap(({ body }) => (body as unknown as Sent).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({
      ...span,
      attributes: Object.fromEntries(
        (span.attributes as unknown as { key: string; value: Value }[]).map(({ key, value }) => [
          key,
          String(value.stringValue ?? value.intValue),
        ]),
      ),
    }));
}

async function spanOf(matches: (span: Span) => boolean): Promise<Span> {
  return eventually(async () => spansSent().find(matches));
}

const namesBelow = (parent: Span) =>
  spansSent()
    .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    .map(({ name }) => name);

function ask(shop: TestTenant, method: string, path: string, body?: object, headers = {}) {
  const authorization = `Bearer ${shop.token}`;
  const at = `/api/${shop.slug}${path}`;
  return call({ ...app, app: traced.app }, method, at, body, {
    ...{ authorization, 'content-type': 'application/json' },
    ...headers,
  });
}

const text = { phone_number: '+14155550123', type: 'text', message: 'A private word' };
const caller = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };

test('a send is a trace of its steps, which continues the trace of a trusted proxy', async () => {
  const shop = await app.tenant();
  const traceparent = `00-${caller.trace}-${caller.span}-01`;
  const sent = await ask(shop, 'POST', '/messages/send', text, { traceparent });
  expect(sent.status).toBe(200);
  const id = sent.headers['x-request-id'];
  const span = await spanOf(({ attributes }) => attributes['parley.request_id'] === id);
  expect(span).toMatchObject({
    name: 'POST /api/:tenant/messages/send',
    traceId: caller.trace,
    parentSpanId: caller.span,
    attributes: { 'http.response.status_code': '200' },
  });
  expect(namesBelow(span)).toEqual(['store the message', 'send to WhatsApp', 'store its outcome']);
  const call = spansSent().find(({ name }) => name === 'send to WhatsApp');
  expect(call?.attributes['parley.outcome']).toBe('accepted');
});

test('a delivery and a store event are traces, and no span has what people wrote', async () => {
  const shop = await app.tenant();
  const receiver = await startReceiver();
  receiver.answer = (_received, response) => response.writeHead(503).end();
  await setWebhook(app.services, shop.id, { url: receiver.url });
  const store = await testStore(app, shop);
  const order = fixture('woocommerce-order.json');
  const headers = wooHeaders('order.created', order);
  const posted = await post(app, store, order, headers);
  expect(posted.status).toBe(200);
  const event = await spanOf(({ name }) => name === 'process a store event');
  expect(event.attributes).toMatchObject({ 'parley.platform': 'woocommerce' });

  await ask(shop, 'POST', '/contacts', { firstname: 'Ada', phone: text.phone_number });
  const delivery = await spanOf(
    ({ name, attributes }) =>
      name === 'deliver a webhook' && attributes['parley.event'] === 'contact.created',
  );
  expect(delivery.attributes).toMatchObject({
    'parley.tenant_id': String(shop.id),
    'parley.outcome': 'failed',
    'http.response.status_code': '503',
  });
  const all = collector.received.map(({ raw }) => raw).join('');
  for (const secret of [shop.token, text.phone_number, text.message, receiver.url, 'Ada']) {
    expect(all).not.toContain(secret);
  }
  await receiver.close();
});

test('a collector that is away holds up nothing', async () => {
  const away = await startReceiver();
  await away.close();
  const alone = await openTracing({ url: away.url, percent: 100, version: '1.0.0' });
  const work = () => Promise.resolve('done');
  expect(await alone.span('work', { kind: 'internal' }, work)).toBe('done');
  await alone.close();
});

test('without a collector there are no traces, and work runs as it is', async () => {
  const off = await openTracing({ url: '', percent: 100, version: '1.0.0' });
  expect(off).toBe(noTracing);
  expect(await off.span('work', { kind: 'internal' }, async () => 1)).toBe(1);
});

afterAll(() => expect(collector.received.length).toBeGreaterThan(0));
