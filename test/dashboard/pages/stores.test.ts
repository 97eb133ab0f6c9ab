import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapTopic, topicActions } from '../../../src/stores/map-topic.ts';
import { findStore } from '../../../src/stores/queries.ts';
import { look, makeNarrowAndDark } from '../../browser/look.ts';
import { openWithin, pick, testDashboard } from '../../browser/open-dashboard.ts';
import { eventually } from '../../checks/eventually.ts';
import {
  fixture,
  orderFields,
  processPosts,
  sendShopify,
  sendWoo,
  shopWithTemplate,
  testStore,
} from '../../features/stores.ts';
import { misbehave } from '../../servers/control.ts';
import { onThePhone } from '../../servers/phone.ts';

const app = testDashboard();
let stop: () => Promise<void>;

beforeAll(() => {
  stop = processPosts(app);
});
afterAll(() => stop());

test('a store is connected, mapped with a preview, tried with a sample, and its posts are replayed', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  await makeNarrowAndDark(page);
  // A fake clock, so that the test need not wait for periodic requests.
  await page.clock.install();
  const secondsLater = () => page.clock.runFor(5_000);
  await openWithin(page, `/t/${shop.slug}/templates`);
  await page.getByRole('button', { name: 'Sync now' }).first().click();
  await page.getByText(/^Synced:/).waitFor();
  await page.getByText('Last synced just now').waitFor();
  await page.clock.runFor(61_000);
  // A minute, and what the steps before it took.
  await page.getByText(/^Last synced \d+ minutes? ago$/).waitFor();
  await page.getByLabel('Search templates').fill('There is none like this');
  await page.getByText('No templates match.').waitFor();

  await openWithin(page, `/t/${shop.slug}/stores`);
  await page.getByRole('button', { name: 'Connect a store' }).click();
  await page.getByLabel('Name').fill('Tea shop');
  await page.getByLabel('Default country for phone numbers').fill('us');
  await look(page, 'store-form');
  await page.getByLabel('Platform').selectOption('Shopify');
  await page.getByText('Secret and authentication').click();
  await page.getByLabel('The store’s signing secret').waitFor({ state: 'hidden' });
  await page.getByRole('dialog').getByRole('button', { name: 'Connect a store' }).click();
  await page.getByLabel('The store’s signing secret').waitFor();
  await page.getByLabel('Platform').selectOption('WooCommerce');
  await page.getByRole('dialog').getByRole('button', { name: 'Connect a store' }).click();
  const address = await page.getByRole('textbox', { name: 'Delivery URL' }).inputValue();
  expect(address).toMatch(/\/api\/webhooks\/\w{32}$/);
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  expect(secret).toMatch(/^\w{40}$/);
  await look(page, 'store-instructions');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: /Tea shop/ }).click();
  await page.getByText('No events yet').waitFor();

  await page.getByRole('button', { name: 'Edit Order created' }).click();
  const dialog = page.getByRole('dialog');
  await pick(dialog.getByLabel('Send a template'), 'order_update (en)');
  await dialog
    .getByLabel('Contact', { exact: true })
    .selectOption({ label: 'Create the contact or fill its empty fields' });
  await dialog.getByText('Only fills fields that are empty in the contact').waitFor();
  await dialog.getByLabel('Value of field_1').focus();
  await dialog.getByText('Payload: choose a value').click();
  await dialog.getByRole('button', { name: 'buyer.first_name Sample' }).click();
  expect(await dialog.getByLabel('Value of field_1').inputValue()).toBe('buyer.first_name');
  await dialog.getByText('+14155550132').and(dialog.locator('.figures')).waitFor();
  await dialog.getByText('(new)').waitFor();
  await dialog.getByLabel('Value of field_2').fill('number');
  await dialog.getByLabel('Value of field_3').focus();
  await dialog.getByRole('button', { name: /^date_created_gmt/ }).click();
  expect(await dialog.getByLabel('Value of field_3').inputValue()).toBe('date_created_gmt');
  await dialog.getByLabel('Format').nth(2).selectOption({ label: 'Date' });
  await dialog.getByText(/should reach you on \w+ \d+/).waitFor();
  await look(page, 'store-topic');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText('Creates the contact or fills its empty fields · Sends order_update (en)')
    .waitFor();

  await page.getByRole('button', { name: 'Send a sample' }).click();
  await page.getByRole('dialog').getByLabel('The sample buyer’s phone').fill('(415) 555-0177');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  const event = page.getByRole('listitem').filter({ hasText: 'Sample' }).first();
  await eventually(async () => (await onThePhone(app, shop)).length === 1);
  await secondsLater();
  await event.getByText('Processed').waitFor();
  await event.getByText('Sample', { exact: true }).click();
  await event.getByText('"billing"').waitFor();

  await event.getByRole('button', { name: 'Replay' }).click();
  const question = page.getByRole('alertdialog', { name: 'Send the message again?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await event.getByRole('button', { name: 'Replay' }).click();
  await question.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Replaying the event.').waitFor();
  await eventually(async () => (await onThePhone(app, shop)).length === 2);

  await page.getByRole('link', { name: 'All stores' }).click();
  await page.getByText('Received 1').waitFor();
  expect(await page.content()).not.toContain(secret);

  const other = await app.open(await app.tenant());
  await other.goto(page.url().replace(shop.slug, 'nobody'));
  await other.getByText('Page not found').waitFor();
});

test('the post about an order is found by its number, shows that its message failed, and leads to the conversation', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  await misbehave(app, shop, { failWith: 131026, count: 1 });
  const order = fixture('woocommerce-order.json').toString();
  await sendWoo(app, store, 'order.created', order);
  const other = order.replace('"1042"', '"1043"').replace('2147483999', '2147484000');
  await sendWoo(app, store, 'order.created', other);
  const page = await app.open(shop, { at: `/stores/${store.id}` });
  await page.getByText('#1043').waitFor();
  await page.getByLabel('Order number or phone').fill('1042');
  await page.getByText('#1043').waitFor({ state: 'detached' });
  expect(page.url()).toContain('q=%221042%22');
  const event = page.getByRole('listitem').filter({ hasText: '#1042' });
  await event.getByText('Message failed').waitFor();
  await look(page, 'store-events');
  await event.getByText('#1042').click();
  await event.getByRole('link', { name: 'Conversation' }).waitFor();
  await page.getByLabel('State').selectOption('Waiting');
  await page.getByText('No events match.').waitFor();
  await page.getByLabel('State').selectOption('All states');
  await event.getByText('#1042').click();
  await event.getByRole('link', { name: 'Conversation' }).click();
  await page
    .getByRole('heading', { name: /Jürgen|\+49 ?221/ })
    .first()
    .waitFor();
});

test('all failed posts are replayed after a question', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created', { name: 'no_such' });
  await sendWoo(app, store, 'order.created', fixture('woocommerce-order.json'));
  const template = { name: 'order_update', language: 'en', fields: orderFields };
  const contact = { mode: 'none' as const };
  await mapTopic(app.db, shop.id, store.id, 'order.created', { contact, template });
  const page = await app.open(shop, { at: `/stores/${store.id}` });
  await page.getByRole('button', { name: 'Replay all failed' }).click();
  const question = page.getByRole('alertdialog', { name: 'Replay the failed events?' });
  await question.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Replaying 1 event.').waitFor();
  await eventually(async () => (await onThePhone(app, shop)).length === 1);
});

test('the body of a post is shown with every digit of its numbers', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop, { platform: 'shopify' });
  await sendShopify(app, store, 'orders/create', fixture('shopify-order.json'));
  const page = await app.open(shop, { at: '/stores' });
  await page.getByRole('link', { name: /Shop/ }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Processed' })
    .getByText('Order created')
    .click();
  await page.getByText('"id": 820982911946154508,').waitFor();

  await page.getByRole('button', { name: 'Edit Order created' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Payload: choose a value').click();
  await dialog.getByText('820982911946154508', { exact: true }).waitFor();
});

test('a template is limited to a state of the order, which is chosen in the payload', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.updated');
  const page = await app.open(shop, { at: `/stores/${store.id}` });
  await makeNarrowAndDark(page);
  await page.getByRole('button', { name: 'Edit Order updated' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Stores send this event at every change of an order').waitFor();
  await dialog.getByLabel('Only if the value at').focus();
  await dialog.getByText('Payload: choose a value').click();
  await dialog.getByRole('button', { name: /^status / }).click();
  expect(await dialog.getByLabel('Only if the value at').inputValue()).toBe('status');
  await dialog.getByLabel('is one of').fill('shipped, delivered');
  await dialog
    .getByText('status is "completed". The message is sent only for: shipped, delivered.')
    .waitFor();
  await look(page, 'store-condition');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const summary = page.getByText(/Sends order_update \(en\) if/);
  await summary.getByText('if status is shipped or delivered').waitFor();
  const { template } = (await topicActions(app.db, shop.id, store.id))['order.updated'];
  expect(template?.only_if).toEqual({ path: 'status', values: ['shipped', 'delivered'] });

  await page.getByRole('button', { name: 'Edit Order updated' }).click();
  expect(await dialog.getByLabel('is one of').inputValue()).toBe('shipped, delivered');
  await pick(dialog.getByLabel('Send a template'), 'spring_offer (en)');
  await dialog
    .getByText('Only the end of the button’s URL: https://shop.example.com/spring/{{1}}')
    .waitFor();
});

test('the preview of a store message is loaded again when the typing pauses', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  const page = await app.open(shop, { at: `/stores/${store.id}` });
  await page.clock.install();
  await page.getByRole('button', { name: 'Edit Order created' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Message to/).waitFor();
  let previews = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/preview')) previews++;
  });
  await page.clock.pauseAt(Date.now() + 60_000);
  await dialog.getByLabel('Value of field_1').fill('nothing_here');
  await dialog.getByLabel('Default').first().pressSequentially('A customer');
  expect(previews).toBe(0);
  await page.clock.runFor(300);
  await page.clock.resume();
  await dialog.getByText(/A customer/).waitFor();
  expect(previews).toBe(1);
});

test('a path that is not one is refused at its control, and the others stay as they are', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.updated');
  const page = await app.open(shop, { at: `/stores/${store.id}` });
  await page.getByRole('button', { name: 'Edit Order updated' }).click();
  const dialog = page.getByRole('dialog');
  const second = dialog.getByLabel('Value of field_2');
  const condition = dialog.getByLabel('Only if the value at');
  const faults = dialog.getByText(/must be names with dots between/);
  await second.fill('billing.');
  await condition.fill('.status');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await faults.getByText('“.status” must be').waitFor();
  expect(await faults.count()).toBe(2);
  const controls = [dialog.getByLabel('Value of field_1'), second, condition];
  const areInvalid = controls.map((each) => each.getAttribute('aria-invalid'));
  expect(await Promise.all(areInvalid)).toEqual(['false', 'true', 'true']);
  expect(await page.locator(':focus').inputValue()).toBe('billing.');
  await second.fill('billing.city');
  await faults.getByText('“billing.” must be').waitFor({ state: 'detached' });
  expect(await faults.count()).toBe(1);
});

test('the name and the country of a store are changed', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  const page = await app.open(shop, { at: `/stores/${store.id}` });
  await page.getByRole('button', { name: 'Edit store' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Coffee shop');
  await dialog.getByLabel('Default country for phone numbers').fill('uk');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/country code of two letters/).waitFor();
  await dialog.getByLabel('Default country for phone numbers').fill('gb');
  await look(page, 'store-edit');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Coffee shop' }).waitFor();
  expect(await findStore(app.db, shop.id, store.id)).toMatchObject({
    name: 'Coffee shop',
    country: 'GB',
  });
});

test('unsaved changes of a store stay if the store cannot be loaded again', async () => {
  const shop = await app.tenant();
  const { id } = await testStore(app, shop, { platform: 'shopify' });
  const page = await app.open(shop, { at: `/stores/${id}` });
  await page.getByText('Days end at midnight UTC.').waitFor();
  const dialog = page.getByRole('dialog');
  await page.getByText('URL and instructions').click();
  await page.getByRole('button', { name: 'New secret or authentication' }).click();
  expect(await dialog.getByLabel('Secret').first().inputValue()).toBe('keep');
  await dialog.getByLabel('Custom authentication').selectOption({ label: 'Header' });
  await dialog.getByLabel('Header name').fill('X-Key');
  await dialog.getByLabel('Header value').fill('v4lue');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Secret and authentication changed.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.clock.install();
  await page.route(`**/stores/${id}?*`, (route) => route.abort());
  await page.getByRole('button', { name: 'Send a sample' }).click();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit Order created' }).click();
  await dialog.getByLabel('Contact', { exact: true }).selectOption({ label: 'Do nothing' });
  // It retries twice, some seconds later.
  await page.clock.runFor(5_000);
  await page.getByText('Parley can’t be reached.').waitFor();
  expect(await dialog.getByLabel('Contact', { exact: true }).inputValue()).toBe('none');
});

test('a store that was deleted meanwhile is reported as gone', async () => {
  const shop = await app.tenant();
  const { id } = await testStore(app, shop, { platform: 'shopify' });
  await app.db.query(sql`delete from stores where tenant_id = ${shop.id} and id = ${id}`);
  const page = await app.open(shop, { at: `/stores/${id}` });
  await page.getByText('This store doesn’t exist.').waitFor();
  await page.getByRole('link', { name: 'All stores' }).click();
  await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
});
