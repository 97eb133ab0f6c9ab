import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { look } from '../browser/look.ts';
import { loseFirst } from '../browser/lose-first.ts';
import { openWithin, pick, testDashboard } from '../browser/open-dashboard.ts';
import { testStore } from '../features/stores.ts';

const app = testDashboard();

/** Collects the bodies of calls of a method to addresses that end in a path. */
function bodiesOf(page: Page, method: string, path: RegExp): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === method && path.test(request.url()))
      bodies.push(request.postDataJSON());
  });
  return bodies;
}

test('what is typed stays while saved values are loaded again, and the rest follows them', async () => {
  const shop = await app.tenant();
  await setWebhook(app.services, shop.id, { url: 'https://shop.example/one' });
  const page = await app.open(shop);
  await page.clock.install();
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  const address = page.getByLabel('URL');
  const read = page.getByRole('group', { name: 'Contacts' }).getByLabel('Read');
  const save = page.getByRole('button', { name: 'Save' });
  await expect.poll(() => address.inputValue()).toBe('https://shop.example/one');
  expect([await read.isChecked(), await save.isDisabled()]).toEqual([true, true]);

  await address.fill('https://shop.example/typed');
  await setWebhook(app.services, shop.id, {
    url: 'https://shop.example/two',
    events: ['contact.created'],
  });
  await page.clock.runFor(31_000);
  await expect.poll(() => read.isChecked()).toBe(false);
  expect(await address.inputValue()).toBe('https://shop.example/typed');

  // Back to what is saved by now: nothing is left to save.
  await address.fill('https://shop.example/two');
  expect(await save.isDisabled()).toBe(true);
});

test('only changed fields are saved, and each field shows what the server found wrong with it', async () => {
  const shop = await app.tenant();
  const { id } = (await shop.call('POST', '/statuses', { name: 'Lead' })).body.data;
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  const page = await app.open(shop);
  const bodies = bodiesOf(page, 'PUT', /\/contacts\/\d+$/);
  await openWithin(page, `/t/${shop.slug}/contacts`);
  await page.getByRole('button', { name: 'Ada', exact: true }).click();
  const form = page.getByRole('dialog');
  const save = form.getByRole('button', { name: 'Save' });
  await form.getByLabel('City').fill('London');
  await form.getByLabel('Phone').fill('0170 12');
  await pick(form.getByLabel('Status'), 'Lead');
  await shop.call('DELETE', `/statuses/${id}`);
  await save.click();

  // Every fault at once, and the focus on the first one.
  await form.getByText('Enter a phone number with its country code').waitFor();
  await form.getByText('This status does not exist any more.').waitFor();
  expect(await form.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true');
  expect(await form.getByLabel('City').getAttribute('aria-invalid')).toBe('false');
  const phoneId = await form.getByLabel('Phone').getAttribute('id');
  expect(await page.locator(':focus').getAttribute('id')).toBe(phoneId);
  expect(bodies).toEqual([{ city: 'London', phone: '017012', status_id: id }]);
  await look(page, 'contact-faults');

  // A fault leaves with a change of its field only.
  await form.getByLabel('Phone').fill('+14155550124');
  await form.getByText('Enter a phone number').waitFor({ state: 'detached' });
  await form.getByText('This status does not exist any more.').waitFor();
  await pick(form.getByLabel('Status'), 'None');

  await loseFirst(page, /\/contacts\/\d+$/);
  await save.click();
  await form.getByRole('alert').getByText('Parley can’t be reached.').waitFor();
  await save.click();
  await form.waitFor({ state: 'detached' });
  expect(bodies.at(-1)).toEqual({ city: 'London', phone: '+14155550124' });
});

test('a fault of a field that is not shown stands above the buttons, with the name of the field', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop, { platform: 'shopify' });
  const { id } = (await shop.call('POST', '/sources', { name: 'Shop' })).body.data;
  const page = await app.open(shop, { at: `/stores/${store.id}` });
  await page.getByRole('button', { name: 'Edit Order created' }).click();
  const form = page.getByRole('dialog');
  await pick(form.getByLabel('Source'), 'Shop');
  await form.getByLabel('Contact', { exact: true }).selectOption({ label: 'Do nothing' });
  await shop.call('DELETE', `/sources/${id}`);
  const save = form.getByRole('button', { name: 'Save' });
  await save.click();
  const fault = form.getByRole('alert').getByText('Source: This source does not exist any more.');
  await fault.waitFor();
  expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
  expect((await fault.boundingBox())!.y).toBeLessThan((await save.boundingBox())!.y);
  await look(page, 'topic-fault');
});

test('a dialog asks before it drops what was typed, and only then', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  const page = await app.open(shop, { at: '/contacts' });
  const form = page.getByRole('dialog', { name: 'Ada' });
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  const city = form.getByLabel('City');
  const open = () => page.getByRole('button', { name: 'Ada', exact: true }).click();
  const stay = async () => {
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await city.inputValue()).toBe('London');
  };

  await open();
  await city.waitFor();
  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });

  await open();
  await city.fill('London');
  await page.keyboard.press('Escape');
  await question.waitFor();
  await look(page, 'discard-changes');
  await stay();
  // The question is answered by Escape too, and the focus is back in the form.
  await page.keyboard.press('Escape');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await form.locator(':focus').waitFor();

  await page.mouse.click(5, 5);
  await question.waitFor();
  await stay();
  await form.getByRole('button', { name: 'Close' }).click();
  await question.waitFor();
  await stay();
  await form.getByRole('link', { name: 'Conversation' }).click();
  await question.waitFor();
  await stay();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await form.waitFor({ state: 'detached' });
  await open();
  expect(await city.inputValue()).toBe('');

  await city.fill('London');
  await form.getByRole('link', { name: 'Conversation' }).click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
});

test('a page asks before a link, Back or the browser leaves what was typed, and only then', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  const address = page.getByLabel('URL');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const stay = async () => {
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    await heading('Webhook');
    expect(await address.inputValue()).toBe('https://192.0.2.1/typed');
  };
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await address.waitFor();
  await page.getByRole('link', { name: 'Labels', exact: true }).click();
  await heading('Labels');
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();

  await address.click();
  await address.fill('https://192.0.2.1/typed');
  await page.getByRole('link', { name: 'Labels', exact: true }).click();
  await stay();
  await page.goBack();
  await stay();
  // The shortcut of “New contact”, which is forgotten with the way to its page.
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('n');
  await page.keyboard.press('p');
  await stay();
  const asked = page.waitForEvent('dialog');
  // Not awaited: the page stays.
  void page.evaluate('location.reload()').catch(() => {});
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  expect(await address.inputValue()).toBe('https://192.0.2.1/typed');

  await page.getByRole('link', { name: 'Labels', exact: true }).click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await heading('Labels');
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByText('No contacts yet').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  expect(await address.inputValue()).toBe('');

  await address.fill('https://192.0.2.1/typed');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('n');
  await page.keyboard.press('p');
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog', { name: 'New contact' }).waitFor();
});

test('a sign-out asks before it drops what was typed, and then leaves without another question', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/webhook' });
  const address = page.getByLabel('URL');
  await address.fill('https://192.0.2.1/typed');
  let signOuts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/sign-out')) signOuts++;
  });
  let questions = 0;
  page.on('dialog', (dialog) => {
    questions++;
    void dialog.accept();
  });
  await page.getByRole('button', { name: /Ada Lovelace/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('Something on this page has not been saved or sent.').waitFor();
  await look(page, 'sign-out-unsaved');
  expect(await address.inputValue()).toBe('https://192.0.2.1/typed');
  expect(signOuts).toBe(0);
  await page.getByRole('button', { name: 'Sign out anyway' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(questions).toBe(0);
});

test('a question stays open until what it asked about is done', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/statuses', { name: 'Lead' });
  await shop.call('POST', '/statuses', { name: 'Customer' });
  const page = await app.open(shop, { at: '/labels' });
  const question = page.getByRole('alertdialog', { name: 'Delete “Lead”?' });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/statuses\/\d+$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Delete Lead' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.keyboard.press('Escape');
  expect(await question.isVisible()).toBe(true);
  expect(await question.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  release();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete Customer' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete Customer' }).waitFor({ state: 'detached' });
});

test('the buttons below a long form cover no field that has the focus', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  const page = await app.open(shop, { at: '/contacts' });
  for (const [width, height] of [
    [390, 844],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole('button', { name: 'Ada', exact: true }).click();
    const form = page.getByRole('dialog');
    const fields = form.locator('input, textarea, [role=combobox]');
    await expect
      .poll(() => fields.first().evaluate('document.activeElement.tagName'))
      .toBe('INPUT');
    const focused = page.locator(':focus');
    while ((await focused.innerText()) !== 'Delete') {
      const field = (await focused.boundingBox())!;
      const first = (await form.getByRole('button', { name: 'Delete' }).boundingBox())!;
      expect(field.y + field.height).toBeLessThanOrEqual(Math.min(first.y, height));
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  }
});
