import { expect, test } from 'vitest';
import { look, makeNarrowAndDark } from '../../browser/look.ts';
import { openWithin, testDashboard } from '../../browser/open-dashboard.ts';
import { eventually } from '../../checks/eventually.ts';
import { connectTestNumber, control } from '../../servers/control.ts';

const app = testDashboard();

test('the failed messages of the overview are listed with their reasons, and lead to their conversations', async () => {
  const shop = await app.tenant();
  await control(app, 'POST', '/simulator/behaviour', {
    phone: '+14155550199',
    failWith: 131026,
    failAs: 'callback',
  });
  await shop.call('POST', '/contacts', { firstname: 'Zoë', phone: '+14155550199' });
  const send = (phone_number: string, message: string, reference?: string) =>
    shop.call('POST', '/messages/send', { phone_number, type: 'text', message, reference });
  await send('+14155550199', 'Your order is on its way', 'order-7');
  await send('+14155550123', 'Thank you');
  await eventually(async () => {
    const { body } = await shop.call('GET', '/messages?status=failed');
    return body.data.length === 1;
  });
  const page = await app.open(shop);
  await page.getByRole('link', { name: 'Failed', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
  const rows = page.locator('main').getByRole('listitem');
  await rows.getByText('+14155550199').waitFor();
  expect(await rows.count()).toBe(1);
  await rows.getByText('This phone cannot receive the message').waitFor();
  await rows.getByText('Zoë').waitFor();
  await rows.getByText('+14155550199').click();
  await rows.getByText('131026').waitFor();
  await rows.getByText('order-7').waitFor();
  await look(page, 'message-failed');
  await rows.getByRole('link', { name: 'Open conversation' }).click();
  await page.getByRole('log').getByText('Your order is on its way').waitFor();
  await page.goBack();

  // The reasons lead there too.
  const toOverview = page.getByRole('link', { name: 'Overview', exact: true });
  await toOverview.click();
  await page.getByRole('link', { name: 'This phone cannot receive the message' }).click();
  await rows.getByText('+14155550199').waitFor();
  const code = page.getByRole('textbox', { name: 'Error code' });
  expect(await code.inputValue()).toBe('131026');
  await code.fill('131049');
  await page.getByText('No messages match').waitFor();
  await code.fill('');
  await rows.getByText('+14155550199').waitFor();
  await toOverview.click();
  await page.getByRole('link', { name: 'Show failed messages' }).click();
  await rows.getByText('+14155550199').waitFor();
  expect(await page.getByLabel('Status').inputValue()).toBe('failed');
  await page.getByLabel('Status').selectOption('Any status');
  await rows.getByText('Thank you').waitFor();
  await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
  await page.getByText('The end of the period must be later than its start.').waitFor();
  await page.getByLabel('From', { exact: true }).fill('2019-01-01T00:00');
  await page.getByText('No messages match').waitFor();
  await look(page, 'messages-none');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await rows.getByText('Thank you').waitFor();
  expect(new URL(page.url()).search).toBe('');

  // By the reference of the send, also from every page.
  const reference = page.getByRole('searchbox', { name: 'Reference' });
  await reference.fill('order-7');
  await rows.getByText('Thank you').waitFor({ state: 'detached' });
  await rows.getByText('+14155550199').waitFor();
  await reference.fill('order-8');
  await page.getByText('No messages match').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('order-7');
  await page.getByRole('option', { name: 'order-7' }).click();
  await rows.getByText('+14155550199').waitFor();
  expect(await reference.inputValue()).toBe('order-7');
});

test('messages are filtered by number, type and cause, read on by cursor, and added as they come', async () => {
  const shop = await app.tenant();
  const second = await connectTestNumber(app, shop.id);
  const texts = Array.from({ length: 52 }, (_, index) => `Text ${index + 1}.`);
  for (const message of texts) {
    await shop.call('POST', '/messages/send', {
      phone_number: '+14155550123',
      type: 'text',
      message,
    });
  }
  await shop.call('POST', '/messages/send', {
    phone_number: '+14155550124',
    from: second.phone_number_id,
    type: 'text',
    message: 'From the second',
  });
  const page = await app.open(shop, { role: 'staff', at: '/messages' });
  await makeNarrowAndDark(page);
  const rows = page.locator('main').getByRole('listitem');
  await rows.getByText('From the second').waitFor();
  expect(await rows.count()).toBe(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await rows.getByText('Text 1.', { exact: true }).waitFor();
  expect(await rows.count()).toBe(53);
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  // The button is gone, and Shift+Tab leads to what it added.
  await page.keyboard.press('Shift+Tab');
  expect(await rows.last().locator(':focus').count()).toBe(1);
  await shop.call('POST', '/messages/send', {
    phone_number: '+14155550123',
    type: 'text',
    message: 'This one is new',
  });
  await rows.first().getByText('This one is new').waitFor();
  expect(await rows.count()).toBe(54);

  const filters = page.getByRole('button', { name: 'Filters' });
  expect(await page.getByLabel('Number').isVisible()).toBe(false);
  await filters.click();
  await page.getByLabel('Number').selectOption(second.display_phone_number!);
  await rows.getByText('From the second').waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Filters 1 set' }).waitFor();
  await look(page, 'messages-number');
  await page.getByLabel('Sent by').selectOption('Bot');
  await page.getByText('No messages match').waitFor();
  await page.getByLabel('Sent by').selectOption('API');
  await page.getByLabel('Type').selectOption('Template');
  await page.getByText('No messages match').waitFor();
  await openWithin(page, `/t/${shop.slug}/messages?status=nonsense&type=text&since=never`);
  await expect.poll(() => rows.count()).toBe(50);
});
