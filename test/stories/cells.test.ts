import { expect, onTestFinished, test } from 'vitest';
import { startPublishing } from '../../src/events/publishing/start-publishing.ts';
import { connectSimulatedNumber } from '../../src/numbers/connecting/connect-simulated-number.ts';
import { presentNumber } from '../../src/numbers/present-number.ts';
import { tenantIdOffset } from '../../src/platform/values/cell.ts';
import { createStore } from '../../src/stores/setup/create-store.ts';
import { createTenant } from '../../src/tenants/create-tenant.ts';
import { startDelivering } from '../../src/webhooks/delivering/start-delivering.ts';
import { addEndpoint } from '../../src/webhooks/endpoints/add-endpoint.ts';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { eventually } from '../checks/eventually.ts';
import { post, secret, wooHeaders } from '../features/stores.ts';
import { call, testApp } from '../program/app.ts';
import { control, misbehave } from '../servers/control.ts';
import { startReceiver } from '../servers/receiver.ts';

// The largest ids are those of a long name.
const cell = 'europe1';
const app = testApp({ PARLEY_CELL: cell });
const store = { platform: 'woocommerce', name: 'Tea', secret };

/** The services as they were before the installation got its name. */
function unnamed() {
  return { ...app.services, config: { ...app.services.config, cell: '' } };
}

test('a proxy can tell the cell of a store and a number from their URLs', async () => {
  const shop = await app.tenant();
  const made = (await createStore(app.services, shop.id, store)).store;
  expect(made.webhook_id).toMatch(/^europe1-[0-9A-Za-z]{32}$/);
  expect((await post(app, made, '{}', wooHeaders('order.created', '{}'))).status).toBe(200);
  const unknown = { webhook_id: `${made.webhook_id.slice(0, -1)}_` };
  expect((await post(app, unknown, '{}', wooHeaders('order.created', '{}'))).status).toBe(401);

  const { callback_url } = presentNumber(app.services.config, shop.number);
  expect(callback_url).toMatch(/\/whatsapp\/callbacks\/europe1-[0-9A-Za-z]{32}$/);
  const verifying = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': shop.number.verify_token,
    'hub.challenge': '42',
  });
  const verified = await call(app, 'GET', `${new URL(callback_url).pathname}?${verifying}`);
  expect(verified).toMatchObject({ status: 200, body: '42' });

  const simulatorUrl = app.simulator.url;
  const simulated = await connectSimulatedNumber({ ...app.services, simulatorUrl }, shop.id);
  expect(simulated.callback_id).toMatch(/^europe1-/);
});

test('URLs and tenants from before the name stay as they are, and new tenants get new ids', async () => {
  const before = await createTenant(app.db, { slug: 'before' });
  const made = (await createStore(unnamed(), before.id, store)).store;
  const after = await createTenant(app.db, { slug: 'after', cell });
  const again = await createTenant(app.db, { slug: 'again' });
  expect(before.id).toBeLessThan(again.id);
  expect(after.id).toBe(tenantIdOffset(cell) + before.id + 1);
  expect(again.id).toBe(before.id + 2);
  expect(made.webhook_id).toMatch(/^[0-9A-Za-z]{32}$/);
  expect((await post(app, made, '{}', wooHeaders('order.created', '{}'))).status).toBe(200);
  await expect(createTenant(app.db, { slug: 'after', cell })).rejects.toThrow('slug is taken');
});

test('a tenant that has the next id already is a mistake in the name, which the error says', async () => {
  const { id } = await createTenant(app.db, { slug: 'latest', cell });
  await app.db.pool.query(
    `insert into tenants (id, slug, name) overriding system value values ($1, 'moved', 'Moved')`,
    [id + 1],
  );
  const next = createTenant(app.db, { slug: 'next', cell });
  await expect(next).rejects.toThrow(`The id ${id + 1} is taken`);
  expect((await createTenant(app.db, { slug: 'next', cell })).id).toBe(id + 2);
});

test('a tenant with a large id sends, receives, searches and is counted like any other', async () => {
  const shop = await app.tenant({ delivers: true });
  expect(shop.id).toBeGreaterThan(tenantIdOffset(cell));
  const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
  const sent = await shop.call('POST', '/messages/send', text);
  expect(sent.status).toBe(200);
  await eventually(async () => {
    const { body } = await shop.call('GET', `/messages/${sent.body.data.message_id}`);
    return body.data.status === 'delivered';
  });
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from: '+14155550124',
    text: 'Hi',
  });
  const person = { firstname: 'Zoë', phone: '+14155550125' };
  expect((await shop.call('POST', '/contacts', person)).status).toBe(200);
  await eventually(async () => {
    const { body } = await shop.call('GET', '/contacts?search=zo%C3%AB');
    return body.data.length === 1 && body.pagination.total === 1;
  });
  await eventually(async () => {
    const { body } = await shop.call('GET', '/contacts');
    return body.pagination.total === 2;
  });
});

test('every endpoint of a tenant with a large id gets its events', async () => {
  const receiver = await startReceiver();
  const stops = [startDelivering(app.services), startPublishing(app.services)];
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await receiver.close();
  });
  const shop = await app.tenant({ number: false });
  const events = ['contact.created'];
  await setWebhook(app.services, shop.id, { url: `${receiver.url}/first`, events });
  const second = { name: 'second', on: true, url: `${receiver.url}/second`, events };
  await addEndpoint(app.services, shop.id, second);
  await shop.call('POST', '/contacts', { firstname: 'Zoë', phone: '+14155550125' });
  await eventually(async () => receiver.received.length === 2);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/first', '/second']);
});

test('a callback settles a send of a tenant with a large id, whose response was lost', async () => {
  const shop = await app.tenant({ delivers: true });
  await misbehave(app, shop, { answer: 'drop-after-accept', count: 1 });
  const text = { phone_number: '+14155550126', type: 'text', message: 'Hello' };
  expect((await shop.call('POST', '/messages/send', text)).status).toBe(500);
  await eventually(async () => {
    const { body } = await shop.call('GET', '/messages?phone_number=%2B14155550126');
    return body.data[0].status === 'delivered';
  });
});
