import { expect, onTestFinished, test } from 'vitest';
import { countUnconnected } from '../../../src/numbers/state/unconnected-numbers.ts';
import { look, makeNarrowAndDark } from '../../browser/look.ts';
import { testDashboard } from '../../browser/open-dashboard.ts';
import { connectTestNumber, control } from '../../servers/control.ts';

const app = testDashboard();

test('a number is connected by its token and secret, and turns green when a message arrives', async () => {
  // The network verifies the callback URL while the number is connected.
  Object.assign(app.services.config, { baseUrl: app.origin });
  onTestFinished(() => {
    Object.assign(app.services.config, { baseUrl: '' });
  });
  const shop = await app.tenant({ number: false });
  const made = await control(app, 'POST', '/simulator/numbers', { verified_name: 'Blue Bakery' });
  const { business_account_id } = made;
  const second = await control(app, 'POST', '/simulator/numbers', {
    business_account_id,
    registration: { status: 'PENDING', pin: '482913' },
  });
  const page = await app.open(shop, { at: '/numbers' });
  await makeNarrowAndDark(page);
  await page.getByText('No numbers yet').waitFor();

  await page.getByRole('button', { name: 'Connect a number' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Access token').fill(made.access_token);
  await dialog.getByLabel('App secret').fill('wrong');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('The app secret is not that of the app').waitFor();
  await look(page, 'number-form');
  await dialog.getByLabel('App secret').fill(made.app_secret);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Choose a number').waitFor();
  await look(page, 'number-choice');
  await dialog.getByRole('button', { name: `Connect ${second.display_phone_number}` }).click();
  await dialog.getByText('Its PIN is missing').first().waitFor();
  await look(page, 'number-pin');
  await dialog.getByLabel('Six-digit PIN').fill('482913');
  await dialog.getByRole('button', { name: 'Register the number' }).click();
  await dialog.getByText(`Send any message to ${second.display_phone_number} now`).waitFor();
  await look(page, 'number-waiting');

  const { phone_number_id } = second;
  const message = { phone_number_id, from: '+14155550123', text: 'Hello' };
  await control(app, 'POST', '/simulator/inbound', message);
  await dialog.getByText('A message has arrived, so the number works.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Works', { exact: true }).waitFor();
  await page.getByText('Blue Bakery').waitFor();
  // Nothing is left to be done by hand.
  expect(await page.getByText('Set up the WhatsApp webhook by hand').count()).toBe(0);
});

test('a number is connected by hand, checked, and disconnected; its secrets are never shown again', async () => {
  const shop = await app.tenant({ number: false });
  const made = await control(app, 'POST', '/simulator/numbers', {});
  const page = await app.open(shop, { at: '/numbers' });
  await makeNarrowAndDark(page);
  await page.getByRole('button', { name: 'Connect a number' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Access token').fill(made.access_token);
  await dialog.getByLabel('App secret').fill(made.app_secret);
  await dialog.getByText('Enter the IDs yourself').click();
  await dialog.getByLabel('Phone number ID').fill('not digits');
  await dialog.getByLabel('WhatsApp business account ID').fill(made.business_account_id);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Enter an ID: digits only').waitFor();
  await dialog.getByLabel('Phone number ID').fill(made.phone_number_id);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog
    .getByText(/is a local name, which WhatsApp cannot reach/)
    .first()
    .waitFor();
  await dialog.getByText('Set up the WhatsApp webhook by hand').click();
  expect(await dialog.getByRole('textbox', { name: 'Callback URL' }).inputValue()).toContain(
    '/whatsapp/callbacks/',
  );
  await look(page, 'number-unreachable');
  await page.getByRole('button', { name: 'Done' }).click();

  const { phone_number_id } = made;
  const token = { expires_at: Math.floor(Date.now() / 1_000) + 10 * 86_400 };
  await control(app, 'POST', '/simulator/numbers', { phone_number_id, token });
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText(`The network knows ${made.display_phone_number}`).waitFor();
  await page.getByText(/The access token ends on/).waitFor();
  const answer = await page.evaluate(
    `fetch('/dashboard-api/${shop.slug}/numbers').then((each) => each.text())`,
  );
  expect(answer).toContain(made.phone_number_id);
  expect(answer).not.toContain(made.access_token);
  expect(answer).not.toContain(made.app_secret);

  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No numbers yet').waitFor();
});

test('an owner sets what becomes of senders and of their files; staff see the settings', async () => {
  const shop = await app.tenant();
  const unconnected = {
    phoneNumberId: '404404404',
    displayPhoneNumber: '+14155550144',
    reports: 3,
  };
  await countUnconnected(app.db, shop.id, [unconnected]);
  const page = await app.open(shop, { at: '/numbers' });
  await makeNarrowAndDark(page);
  await page.getByText('+14155550144 is not connected, but WhatsApp').waitFor();
  const choice = page.getByRole('switch', { name: 'Add people who message you as contacts' });
  expect(await choice.isChecked()).toBe(true);
  await choice.click();
  await page.getByText('This applies to new messages.').waitFor();
  const days = page.getByLabel('Days to keep files');
  const saveDays = page.getByRole('button', { name: 'Save' }).first();
  await days.fill('many');
  await saveDays.click();
  await page.locator('[aria-invalid=true]').waitFor();
  await days.fill('90');
  await saveDays.click();
  await page.getByText('This applies to files that arrive from now on.').waitFor();
  const messageDays = page.getByLabel('Days to keep messages');
  await messageDays.fill('30');
  await messageDays.press('Enter');
  await page
    .getByRole('alertdialog', { name: 'Delete messages that are older than 30 days?' })
    .getByRole('button', { name: 'Save' })
    .click();
  await page.getByText('Messages older than 30 days are deleted within hours.').waitFor();
  await look(page, 'inbound-settings');
  await page.reload();
  expect(await choice.isChecked()).toBe(false);
  expect(await days.inputValue()).toBe('90');
  expect(await messageDays.inputValue()).toBe('30');
  await messageDays.fill('');
  await messageDays.press('Enter');
  await page.getByText('Messages are kept as long as their contact.').waitFor();

  const staff = await app.open(shop, { role: 'staff', at: '/numbers' });
  const theirs = staff.getByRole('switch', { name: 'Add people who message you as contacts' });
  expect([await theirs.isChecked(), await theirs.isDisabled()]).toEqual([false, true]);
  const theirDays = staff.getByLabel('Days to keep files');
  expect([await theirDays.inputValue(), await theirDays.isDisabled()]).toEqual(['90', true]);
});

test('an owner chooses the number that sends, and sees as long as it is a simulated one', async () => {
  const shop = await app.tenant({ number: false });
  const page = await app.open(shop, { at: '/numbers' });
  await makeNarrowAndDark(page);
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
  await page.getByRole('button', { name: 'Make default' }).click();
  await notice.waitFor();
  const phone = real.display_phone_number!;
  await page.getByRole('button', { name: `Make default: ${phone}` }).click();
  await notice.waitFor({ state: 'detached' });

  const staff = await app.open(shop, { role: 'staff', at: '/numbers' });
  await staff.getByText('Default', { exact: true }).waitFor();
  expect(await staff.getByRole('button', { name: 'Make default' }).count()).toBe(0);
});
