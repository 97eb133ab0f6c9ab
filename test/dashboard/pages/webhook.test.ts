import type { Locator } from 'playwright-core';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnectNumber } from '../../../src/numbers/connecting/disconnect-number.ts';
import { startDelivering } from '../../../src/webhooks/delivering/start-delivering.ts';
import { measureDeliveries } from '../../../src/webhooks/quota/measure-deliveries.ts';
import { setWebhook } from '../../../src/webhooks/set-webhook.ts';
import { look, makeNarrowAndDark } from '../../browser/look.ts';
import { testDashboard } from '../../browser/open-dashboard.ts';
import { eventually } from '../../checks/eventually.ts';
import { connectTestNumber } from '../../servers/control.ts';
import { startReceiver } from '../../servers/receiver.ts';

const app = testDashboard({
  PARLEY_WEBHOOK_SCHEDULE: '0,600',
  PARLEY_DELIVERY_QUOTA_WAITING: '10',
});
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  stop = startDelivering(app.services);
});
afterAll(async () => {
  await stop();
  await receiver.close();
});

test('a webhook is set, its secret is shown once, and its deliveries are listed and sent again', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  // A fake clock, so that the test need not wait for periodic requests.
  await page.clock.install();
  const secondsLater = () => page.clock.runFor(5_000);
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await page.getByLabel('URL').fill('https://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^This address cannot be called/).waitFor();
  await page.getByLabel('URL').fill(`${receiver.url}/hook`);
  const contacts = page.getByRole('group', { name: 'Contacts' });
  expect(await contacts.getByLabel('Read').isChecked()).toBe(false);
  expect(await contacts.getByLabel('Created').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Save' }).click();
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await page.getByText('No deliveries yet').waitFor();
  expect(await page.content()).not.toContain(secret);

  receiver.answer = (_received, response) => response.writeHead(500).end('no room');
  await page.getByRole('button', { name: 'Send test event' }).click();
  const failed = page.getByRole('listitem').filter({ hasText: 'webhook.test' }).first();
  await eventually(async () => receiver.received.length === 1);
  await secondsLater();
  await failed.getByText('Failed').waitFor();
  // The reason and the delivery are seen without scrolling.
  const isOnScreen = async (shown: Locator) => {
    const { y, height } = (await shown.boundingBox())!;
    return y >= 0 && y + height <= page.viewportSize()!.height;
  };
  const notice = page.getByText(/^The receiver responded with 500\. The first failure was/);
  await notice.waitFor();
  expect([await isOnScreen(notice), await isOnScreen(failed)]).toEqual([true, true]);
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect.poll(() => isOnScreen(page.getByLabel('URL'))).toBe(true);
  await failed.getByText('webhook.test').click();
  await failed.getByText('no room').waitFor();

  receiver.answer = (_received, response) => response.writeHead(204).end();
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  await eventually(async () =>
    receiver.received.some((each) => each.body.event === 'contact.created'),
  );
  await secondsLater();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'contact.created' })
    .getByText('Delivered')
    .waitFor();
  await page.getByRole('button', { name: 'Retry all undelivered' }).click();
  await page.getByText('Retrying 1 delivery.').waitFor();
  await eventually(async () => receiver.received.length === 3);
  await secondsLater();
  await failed.getByText('Delivered').first().waitFor();
  await page.getByRole('button', { name: 'Retry all undelivered' }).click();
  await page.getByText('No deliveries have failed or wait for a later attempt.').waitFor();

  // The previous results stay until the new ones have loaded.
  const asked = Promise.withResolvers<() => Promise<void>>();
  let wasHeld = false;
  await page.route(/deliveries\?.*state=failed/, (route) => {
    if (wasHeld) return route.continue();
    wasHeld = true;
    asked.resolve(() => route.continue());
  });
  await page.getByLabel('State').selectOption({ label: 'Failed' });
  const letFailedOn = await asked.promise;
  await failed.getByText('Delivered').first().waitFor();
  await letFailedOn();
  await page.getByText('No deliveries match.').waitFor();
  // The year has four digits; further digits are the time.
  const from = page.getByLabel('Since');
  await from.focus();
  await page.keyboard.type('010120250905A');
  expect(await from.inputValue()).toBe('2025-01-01T09:05');

  // The text in a field stays, even if the webhook is changed in the meantime.
  await page.getByLabel('URL').fill(`${receiver.url}/another`);
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'New secret' }).click();
  const next = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  expect(next).not.toBe(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Requests are also signed with the previous secret').waitFor();
  expect(await page.getByLabel('URL').inputValue()).toBe(`${receiver.url}/another`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Webhook saved.').waitFor();
  expect(await page.getByLabel('URL').inputValue()).toBe(`${receiver.url}/another`);

  let letOn = () => {};
  const held = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  await page.route(`**/${shop.slug}/webhook`, async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Dismiss' }).first().click();
  await page.getByLabel('URL').fill(`${receiver.url}/third`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('URL').fill(`${receiver.url}/typed-meanwhile`);
  letOn();
  await page.getByText('Webhook saved.').waitFor();
  expect(await page.getByLabel('URL').inputValue()).toBe(`${receiver.url}/typed-meanwhile`);

  await page.getByLabel('URL').fill('https://');
  await page.route(`**/${shop.slug}/webhook`, (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await secondsLater();
  await page.getByText('Parley can’t be reached.').waitFor();
  expect(await page.getByLabel('URL').inputValue()).toBe('https://');
});

test('a full quota has a plain message, and so do dropped events once there is room again', async () => {
  const shop = await app.tenant({ number: false });
  const { id: tenantId } = shop;
  await setWebhook(app.services, tenantId, { url: `${receiver.url}/quota` });
  const insert = (count: number) =>
    app.db.query(sql`
      insert into deliveries (tenant_id, event, body, due_at)
      select ${tenantId}, 'status.created', '{}', now() + interval '1 day'
      from generate_series(1, ${count})`);
  const measure = () => measureDeliveries(app.services, undefined, { countEveryMs: 0 });
  const page = await app.open(shop);
  const seen = async (text: string | RegExp) => {
    await measure();
    await page.goto(`${app.origin}/t/${shop.slug}/webhook`);
    await page.getByText(text).first().waitFor();
  };
  await insert(11);
  await seen('More than 10 events are waiting to be delivered. No contact.read events');
  await page.getByText('contact.read events are being dropped').waitFor();
  await look(page, 'webhook-full');
  await page.goto(`${app.origin}/t/${shop.slug}`);
  await page.getByText('Too many events are waiting, so some are dropped').waitFor();

  await insert(10);
  await seen('More than 20 events wait to be delivered, twice the quota.');
  await page.getByText('The webhook is off').waitFor();
  await setWebhook(app.services, tenantId, { url: `${receiver.url}/quota` });
  await seen('More than 20 events are waiting to be delivered, twice the quota.');

  await app.db.query(sql`
    update deliveries set state = 'delivered' where tenant_id = ${tenantId}`);
  await app.db.query(sql`update webhooks set dropped = 3 where tenant_id = ${tenantId}`);
  await seen(/^3 contact\.read events were dropped between .* and .*, because too many/);
});

test('endpoints are added, listed with their health, paused and removed, and a delivery shows its request', async () => {
  const shop = await app.tenant();
  await setWebhook(app.services, shop.id, { url: `${receiver.url}/first` });
  const page = await app.open(shop, { at: '/webhook' });
  await makeNarrowAndDark(page);
  await page.getByRole('link', { name: 'Add endpoint' }).click();
  await page.getByLabel('Name').fill('CRM');
  await page.getByLabel('URL').fill(`${receiver.url}/crm`);
  await page.getByText('Filters, order and headers').click();
  await page.getByLabel('In order').click();
  await page.getByLabel('Gather messages').fill('1,5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a whole number of seconds from 1 to').waitFor();
  await page.getByLabel('Gather messages').fill('');
  await page.getByLabel('Additional headers').fill('Content-Type: text/plain');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Parley sets content-type itself. Remove it.').waitFor();
  await page.getByLabel('Additional headers').fill('X-Key: hush');
  await look(page, 'webhook-new-endpoint');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.url()).toContain('endpoint=1');
  await page.getByText('Sent now: x-key.').waitFor({ state: 'attached' });

  receiver.answer = (_received, response) => response.writeHead(500).end('no room');
  const ada = { firstname: 'Ada', lastname: 'Lovelace', phone: '+14155550199' };
  const { body: created } = await shop.call('POST', '/contacts', ada);
  await eventually(async () => receiver.received.some(({ path }) => path === '/crm'));
  await page.reload();
  const list = page.getByRole('listitem');
  await list.filter({ hasText: 'CRM' }).getByText('Failing', { exact: true }).waitFor();
  await list.filter({ hasText: 'default' }).getByText('Failing', { exact: true }).waitFor();
  const row = list.filter({ hasText: `Ada Lovelace #${created.data.id}` });
  await row.getByText('contact.created').click();
  await row.getByText('"firstname": "Ada"').waitFor();
  await row.getByText(`POST ${receiver.url}/crm`).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row.getByRole('button', { name: 'Copy as curl' }).click();
  await row.getByText('Copied').waitFor();
  const curl = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(curl).toContain(`curl '${receiver.url}/crm'`);
  expect(curl).toContain("-H 'webhook-signature: v1,");
  expect(curl).not.toContain('hush');
  await look(page, 'webhook-endpoints');
  await page.getByLabel('Delivery ID, phone, #contact or message ID').fill('+1 415 555 0199');
  await expect.poll(() => page.url()).toContain('id=');
  await row.first().waitFor();
  await page.getByLabel('Delivery ID, phone, #contact or message ID').fill('+1 415 555 0198');
  await page.getByText('No deliveries match.').waitFor();

  // Many alike are one row.
  await page.getByLabel('Delivery ID, phone, #contact or message ID').fill('');
  await expect.poll(() => page.url()).not.toContain('id=');
  await app.db.query(sql`
    insert into deliveries (tenant_id, webhook_id, event, body, state, finished_at)
    select ${shop.id}, 1, 'contact.updated', '{}', 'delivered', now() from generate_series(1, 6)`);
  await page.reload();
  const group = list.filter({ hasText: '6 in a row' });
  const alike = group.getByRole('listitem').filter({ hasText: 'contact.updated' });
  expect(await alike.count()).toBe(0);
  await group.getByText('contact.updated').first().click();
  await expect.poll(() => alike.count()).toBe(6);
  await alike.nth(2).getByText('contact.updated').click();
  await expect.poll(() => page.url()).toContain('open=');
  await look(page, 'webhook-alike');

  await page.goto(`${app.origin}/t/${shop.slug}`);
  await list
    .filter({ hasText: 'Webhook “default”' })
    .getByText('Failing', { exact: true })
    .waitFor();
  await list.filter({ hasText: 'Webhook “CRM”' }).getByText('Failing', { exact: true }).click();
  await expect.poll(() => page.url()).toContain('endpoint=1');

  const typed = `${receiver.url}/typed`;
  await page.getByLabel('URL').fill(typed);
  await list.filter({ hasText: 'default' }).getByRole('link').click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  expect(await page.getByLabel('URL').inputValue()).toBe(typed);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('The endpoint is paused').first().waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Endpoint removed.').waitFor();
  await expect.poll(() => page.url()).not.toContain('endpoint=');
  expect(await page.getByLabel('URL').inputValue()).toBe(`${receiver.url}/first`);

  // A number that was disconnected since stays in the filter of an endpoint.
  const { business_account_id } = shop.number;
  const { phone_number_id } = await connectTestNumber(app, shop.id, { business_account_id });
  const url = `${receiver.url}/first`;
  await setWebhook(app.services, shop.id, { url, numbers: [phone_number_id] });
  await disconnectNumber(app.db, shop.id, phone_number_id);
  await page.reload();
  await page.getByText('Filters, order and headers').click();
  const choice = page.getByLabel(`${phone_number_id} (disconnected)`);
  await choice.waitFor();
  expect(await choice.isChecked()).toBe(true);
  await page.getByLabel('In order').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Webhook saved.').waitFor();
  const { rows } = await app.db.query<{ ordered: boolean; numbers: number }>(sql`
    select ordered, cardinality(number_ids) as numbers from webhooks where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ ordered: true, numbers: 1 }]);
});
