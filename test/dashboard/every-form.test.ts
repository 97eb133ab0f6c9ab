import { beforeAll, expect, test } from 'vitest';
import { look, makeNarrowAndDark } from '../browser/look.ts';
import { openWithin, settled, testDashboard } from '../browser/open-dashboard.ts';
import { fillTenant } from '../features/fill-tenant.ts';
import type { TestTenant } from '../program/app.ts';

const app = testDashboard();
let shop: TestTenant;
let storeId: number;

beforeAll(async () => {
  shop = await app.tenant();
  ({ storeId } = await fillTenant(app, shop));
}, 120_000);

test('every form fits the page with all of its fields', async () => {
  const page = await app.open(shop);
  await makeNarrowAndDark(page);
  const go = (path: string) => openWithin(page, `/t/${shop.slug}${path}`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  const discard = async () => {
    await page.keyboard.press('Escape');
    await press('Discard changes');
    await dialog.waitFor({ state: 'detached' });
  };

  await go('/conversations');
  await press('New message');
  await dialog.getByLabel('Phone').fill('0170 12');
  await look(page, 'form-conversation');
  await discard();

  await go('/members');
  await press('Invite');
  await dialog.getByLabel('Email').waitFor();
  await look(page, 'form-member');

  await go('/stores');
  await press('Connect a store');
  await dialog.getByLabel('Platform').selectOption({ label: 'Shopify' });
  await dialog.getByLabel('Custom authentication').selectOption({ label: 'Header' });
  await dialog.getByLabel('Header value').waitFor();
  await look(page, 'form-store');
  await discard();

  await go(`/stores/${storeId}`);
  await press('Send a sample');
  await dialog.getByLabel('Topic').waitFor();
  await look(page, 'form-sample');
  await page.keyboard.press('Escape');
  await press('Edit Order created');
  await dialog.getByLabel('Wolfeschlegelsteinhausenbergerdorff').waitFor();
  await dialog.getByText('Contact:').waitFor();
  await look(page, 'form-topic');
  await page.keyboard.press('Escape');
  await page.getByText('URL and instructions').click();
  await press('New secret or authentication');
  await dialog.getByLabel('Custom authentication').waitFor();
  await look(page, 'form-store-keys');

  await go('/bots');
  await press('Edit Where is my order?');
  await dialog.getByLabel('Template').waitFor();
  await look(page, 'form-bot-template');
});

test('what cannot be undone must be confirmed, and says what is deleted', async () => {
  const page = await app.open(shop);
  await makeNarrowAndDark(page);
  const go = (path: string) => openWithin(page, `/t/${shop.slug}${path}`);
  const question = page.getByRole('alertdialog');

  await go('/contacts');
  await page.getByRole('checkbox', { name: 'Select Zoë Lovelace' }).first().check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await question.getByText('This cannot be undone.').waitFor();
  await look(page, 'ask-contact');

  await go('/webhook');
  await page.getByRole('button', { name: 'New secret' }).click();
  await question.getByText('For 24 hours').waitFor();
  await look(page, 'ask-secret');

  await go('/labels');
  await page.getByRole('button', { name: 'Delete Customer' }).click();
  await question.waitFor();
  await look(page, 'ask-label');

  await go('/numbers');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await question.waitFor();
  await look(page, 'ask-number');
});

test('staff see what owners set up, without the controls to change it', async () => {
  const page = await app.open(shop, { role: 'staff' });
  await makeNarrowAndDark(page);
  const controls: string[] = [];
  for (const [path, heading, control] of [
    ['api', 'API', /^(Generate|Revoke)/],
    ['numbers', 'Numbers', /^(Connect|Disconnect)/],
    ['webhook', 'Webhook', /^(New secret|Pause|Switch off)/],
    ['stores', 'Stores', /^Connect/],
    [`stores/${storeId}`, 'Tea shop', /^(Edit|New secret|Delete)/],
    ['members', 'Members', /^(Invite|Remove)/],
  ] as const) {
    await openWithin(page, `/t/${shop.slug}/${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await settled(page);
    controls.push(...(await page.getByRole('button', { name: control }).allTextContents()));
    await look(page, `staff-${heading.toLowerCase().replace(' ', '-')}`);
  }
  expect(controls).toEqual([]);
});
