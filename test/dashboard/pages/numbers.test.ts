import { expect, test } from 'vitest';
import { look, testDashboard } from '../../browser/open-dashboard.ts';
import { connectTestNumber, control } from '../../servers/control.ts';

const app = testDashboard();

test('a number is connected, tested, and disconnected; its secrets are never shown again', async () => {
  const shop = await app.tenant({ number: false });
  const made = await control(app, 'POST', '/simulator/numbers', {});
  const page = await app.open(shop);
  await page.getByRole('link', { name: 'Numbers' }).click();
  await page.getByText('No number yet').waitFor();

  await page.getByRole('button', { name: 'Connect a number' }).first().click();
  await page.getByLabel('Phone number ID').fill('not digits');
  await page.getByLabel('WhatsApp business account ID').fill(made.business_account_id);
  await page.getByLabel('Access token').fill(made.access_token);
  await page.getByLabel('App secret').fill(made.app_secret);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Connect a number' }).click();
  await page.getByText('Must be an id: digits only').waitFor();
  await look(page, 'number-form');
  await page.getByLabel('Phone number ID').fill(made.phone_number_id);
  await dialog.getByRole('button', { name: 'Connect a number' }).click();
  await page.getByRole('heading', { name: 'Let WhatsApp report back' }).waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Callback URL' }).inputValue()).toContain(
    '/whatsapp/callbacks/',
  );
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('The network knows this number').waitFor();
  const answer = await page.evaluate(
    `fetch('/dashboard-api/${shop.slug}/numbers').then((each) => each.text())`,
  );
  expect(answer).toContain(made.phone_number_id);
  expect(answer).not.toContain(made.access_token);
  expect(answer).not.toContain(made.app_secret);

  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No number yet').waitFor();
});

test('an owner can turn off that senders become contacts; staff see the setting', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  await page.goto(`${app.origin}/t/${shop.slug}/numbers`);
  const choice = page.getByRole('switch', { name: 'Who writes becomes a contact' });
  expect(await choice.isChecked()).toBe(true);
  await choice.click();
  await page.getByText('It holds for messages from now on.').waitFor();
  await look(page, 'inbound-settings');
  await page.reload();
  expect(await choice.isChecked()).toBe(false);

  const staff = await app.open(shop, { role: 'staff' });
  await staff.goto(`${app.origin}/t/${shop.slug}/numbers`);
  const theirs = staff.getByRole('switch', { name: 'Who writes becomes a contact' });
  expect([await theirs.isChecked(), await theirs.isDisabled()]).toEqual([false, true]);
});

test('an owner chooses the number that sends, and sees as long as it is a simulated one', async () => {
  const shop = await app.tenant({ number: false });
  const page = await app.open(shop);
  await page.goto(`${app.origin}/t/${shop.slug}/numbers`);
  await page.getByRole('button', { name: 'Connect a simulated number' }).first().click();
  const notice = page.getByText('Messages go to the simulator');
  await notice.waitFor();
  await page.goto(`${app.origin}/t/${shop.slug}`);
  await notice.waitFor();

  const real = await connectTestNumber(app, shop.id);
  await page.goto(`${app.origin}/t/${shop.slug}/numbers`);
  await page.getByText('Default', { exact: true }).waitFor();
  expect(await notice.count()).toBe(0);
  await look(page, 'numbers-two');
  await page.getByRole('button', { name: 'Send by this number' }).click();
  await notice.waitFor();
  const phone = real.display_phone_number!;
  await page.getByRole('button', { name: `Send by this number: ${phone}` }).click();
  await notice.waitFor({ state: 'detached' });

  const staff = await app.open(shop, { role: 'staff' });
  await staff.goto(`${app.origin}/t/${shop.slug}/numbers`);
  await staff.getByText('Default', { exact: true }).waitFor();
  expect(await staff.getByRole('button', { name: 'Send by this number' }).count()).toBe(0);
});
