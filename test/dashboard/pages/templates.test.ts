import { expect, test } from 'vitest';
import { syncTemplates } from '../../../src/templates/syncing/sync-templates.ts';
import { look, makeNarrowAndDark } from '../../browser/look.ts';
import { openWithin, pick, testDashboard } from '../../browser/open-dashboard.ts';
import { testStore } from '../../features/stores.ts';
import { connectTestNumber, control } from '../../servers/control.ts';

const app = testDashboard();
/** Longer than a phone is wide. */
const shippedName = 'order_shipped_by_the_carrier_that_the_customer_has_chosen_2026';

test('the templates of a second account are listed, and offered to its store and to bots', async () => {
  const shop = await app.tenant();
  const second = await connectTestNumber(app, shop.id);
  await control(app, 'POST', '/simulator/templates', {
    business_account_id: second.business_account_id,
    name: shippedName,
    language: 'en',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your order is on its way.' }],
  });
  await syncTemplates(app.services, shop.id);
  const store = await testStore(app, shop, { platform: 'shopify', numberId: second.id });
  const page = await app.open(shop, { at: '/templates' });
  await makeNarrowAndDark(page);
  const shipped = page.getByRole('heading', { name: shippedName });
  await page.getByRole('heading', { name: 'order_update' }).first().waitFor();
  await page.getByText('because it looks like fraud').waitFor();
  expect(await shipped.count()).toBe(0);
  await page
    .getByLabel('WhatsApp account')
    .selectOption({ label: `Account of ${second.display_phone_number}` });
  await shipped.waitFor();
  expect(new URL(page.url()).searchParams.get('number')).toBe(String(second.id));
  await look(page, 'templates-account');
  // The number of an old address may have been disconnected since.
  await openWithin(page, `/t/${shop.slug}/templates?number=999999`);
  await page.getByRole('heading', { name: 'order_update' }).first().waitFor();

  await openWithin(page, `/t/${shop.slug}/stores/${store.id}`);
  await page.getByRole('button', { name: 'Edit Order created' }).click();
  const dialog = page.getByRole('dialog');
  await pick(dialog.getByLabel('Send a template'), `${shippedName} (en)`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`Sends ${shippedName} (en)`).waitFor();

  await openWithin(page, `/t/${shop.slug}/bots`);
  await page.getByRole('button', { name: 'New bot' }).first().click();
  await page.getByLabel('Name').fill('Shipping');
  await page.getByLabel('Keywords').fill('shipping');
  await page.getByLabel('Reply with').selectOption({ index: 1 });
  await page.getByLabel('Template', { exact: true }).click();
  const options = page.getByRole('option', { name: 'order_update (en)', exact: true });
  await options.waitFor();
  expect(await options.count()).toBe(1);
  await page.getByRole('option', { name: `${shippedName} (en)`, exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Bot is live.').waitFor();
});
