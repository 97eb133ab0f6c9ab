import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventuallyHolds } from '../checks/eventually.ts';
import type { TestSimulator } from '../servers/simulator.ts';
import { phone, testPhones } from './open-phone.ts';

const phones = testPhones();
const rows = (page: Page) => page.getByRole('navigation', { name: 'Phones' }).getByRole('listitem');
const reported = (network: TestSimulator) =>
  network.receiver.statuses().map(({ status, recipient_id }) => `${recipient_id} ${status}`);

test('phones are listed with name, number, last message and unread count, the latest first', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network, { address: '' });
  await network.send({ text: { body: 'First' } });
  await network.send({ text: { body: 'Your *parcel* is here' } });
  await rows(page).filter({ hasText: '2 unread' }).waitFor();
  const other = { phone: '15557654321', name: 'Bo' };
  await network.call('POST', '/simulator/phones', other);
  await network.send({ to: '+15557654321', text: { body: 'السلام عليكم' } });
  await expect.poll(() => rows(page).first().textContent()).toContain('السلام عليكم');
  expect(await rows(page).allInnerTexts()).toEqual([
    expect.stringMatching(/^B\s+Bo\s+\+15557654321\s+\d\d:\d\d\s+السلام عليكم\s+1/),
    expect.stringMatching(/^AL\s+Ann Lee\s+\+15551234567\s+\d\d:\d\d\s+Your parcel is here\s+2/),
  ]);
  expect(await page.title()).toBe('(3) Parley simulator');

  await network.call('POST', '/simulator/inbound', {
    phone_number_id: network.number.phone_number_id,
    from: phone,
    text: 'Thanks',
  });
  await expect.poll(() => rows(page).first().textContent()).toContain('You: Thanks');
  await network.call('PATCH', `/simulator/phones/${phone}`, { on: false });
  await rows(page).first().getByText('switched off').waitFor({ state: 'attached' });

  const search = page.getByRole('searchbox', { name: 'Search phones' });
  await search.fill('+1 555 765');
  await expect.poll(() => rows(page).count()).toBe(1);
  await rows(page).filter({ hasText: 'Bo' }).waitFor();
  await search.fill('nobody');
  await page.getByText('No phones match.').waitFor();

  // Right-to-left texts keep their beginning wherever a line is cut.
  await search.fill('');
  await network.call('POST', '/simulator/phones', { phone: '15557654399', name: 'فاطمة' });
  for (const text of ['السلام عليكم', 'فاطمة']) {
    const found = rows(page).getByText(text);
    await found.waitFor();
    expect(
      await found.evaluate((element: { matches(css: string): boolean }) =>
        element.matches(':dir(rtl)'),
      ),
    ).toBe(true);
  }
});

test('opening the page reads nothing; a chat that a person opens or uses is read', async () => {
  const network = await phones.startNetwork();
  await network.call('POST', '/simulator/phones', { phone: '15557654321', name: 'Bo' });
  await network.send({ text: { body: 'For Ann' } });
  await network.send({ to: '+15557654321', text: { body: 'For Bo' } });
  const { page } = await phones.open(network, { address: `#/${phone}` });
  await page.getByRole('article').getByText('For Ann').waitFor();
  await page.getByText('Reported: delivered').waitFor();
  await network.send({ text: { body: 'Also for Ann' } });
  await page.getByRole('article').getByText('Also for Ann').waitFor();
  await rows(page)
    .filter({ hasText: 'Ann Lee' })
    .getByText('2 unread')
    .waitFor({ state: 'attached' });
  expect(reported(network).join()).not.toContain('read');

  await page.getByRole('link', { name: /^Bo/ }).click();
  await page.getByRole('article').getByText('For Bo').waitFor();
  await page.getByText('Reported: read').waitFor();
  expect(reported(network)).toContain('15557654321 read');
  expect(reported(network)).not.toContain(`${phone} read`);

  await page.goto('about:blank');
  await page.goto(`${network.url}/#/${phone}`);
  await page.getByRole('article').getByText('Also for Ann').click();
  await page.getByText('Reported: read').nth(1).waitFor();
});

test('a chat is marked as read or unread by a button', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network, { address: `#/${phone}` });
  await network.send();
  await page.getByRole('button', { name: 'Mark as read' }).click();
  await page.getByText('Reported: read').waitFor();
  await page.getByRole('button', { name: 'Mark as unread' }).click();
  const row = page.getByRole('link', { name: /^Ann Lee/ });
  await row.getByText('marked as unread').waitFor({ state: 'attached' });
  await page.reload();
  await row.getByText('marked as unread').waitFor({ state: 'attached' });
  await row.click();
  await row.getByText('marked as unread').waitFor({ state: 'detached' });
});

test('on a narrow screen, the focus goes to the phone that is opened, and back to its row', async () => {
  const network = await phones.startNetwork();
  const narrow = (page: Page) => page.setViewportSize({ width: 390, height: 800 });
  const { page } = await phones.open(network, { address: '#/', before: narrow });
  const row = page.getByRole('link', { name: /^Ann Lee/ });
  const focused = page.locator(':focus');
  await row.press('Enter');
  await expect.poll(() => focused.textContent()).toBe('Ann Lee');
  const field = page.getByLabel('Write a message');
  await field.focus();
  // The key that cancels what an input method composes does not leave the chat.
  await field.dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true });
  await field.press('Shift+Tab');
  await page.getByRole('button', { name: 'Mark as unread' }).press('Enter');
  await expect.poll(() => row.locator(':scope:focus').count()).toBe(1);
});

test('each phone has an address, which a reload and the back button keep', async () => {
  const network = await phones.startNetwork();
  await network.call('POST', '/simulator/phones', { phone: '15557654321', name: 'Bo' });
  const { page } = await phones.open(network);
  const heading = (name: string) => page.getByRole('heading', { level: 2, name, exact: true });
  await heading('Ann Lee').waitFor();
  expect(new URL(page.url()).hash).toMatch(new RegExp(`^#/${phone}`));
  await page.getByRole('link', { name: /^Bo/ }).click();
  await heading('Bo').waitFor();
  await page.reload();
  await heading('Bo').waitFor();
  await page.goBack();
  await heading('Ann Lee').waitFor();

  await page.goto(`${network.url}/#/4930123456`);
  await page.getByText('There is no phone with the number +4930123456 on this network.').waitFor();
  // It opens when it appears.
  await network.send({ to: '+4930123456', text: { body: 'Welcome' } });
  await page.getByRole('article').getByText('Welcome').waitFor();
});

test('a phone that appears while the page loads is in the list, and none is opened', async () => {
  const network = await phones.startNetwork();
  let isFirst = true;
  const addWhileLoading = async (route: Route) => {
    const response = await route.fetch();
    // The route stays, because removing one while requests are made loses some.
    if (!isFirst) return route.fulfill({ response });
    isFirst = false;
    await network.send({ to: '+15557654321' });
    // The page is notified on its event stream, which the test cannot observe.
    await sleep(300);
    await route.fulfill({ response });
  };
  const { page } = await phones.open(network, {
    address: '',
    before: (page) => page.route('**/simulator/phones', addWhileLoading),
  });
  await page.getByRole('link', { name: /^\+15557654321/ }).waitFor();
  await page.getByRole('link', { name: /^Ann Lee/ }).waitFor();
  await page.getByRole('heading', { name: 'Choose a phone' }).waitFor();
});

test('the sent side has ticks: sent, received by the business, seen by it', async () => {
  const network = await phones.startNetwork();
  network.receiver.answers.push(500);
  await network.behave({ retryDelaysMs: [300] });
  const { page } = await phones.open(network);
  await page.getByLabel('Write a message').fill('Hello');
  await page.keyboard.press('Enter');
  const message = page.getByRole('article').filter({ hasText: 'Hello' });
  await message.getByText('Sent', { exact: true }).waitFor();
  await message.getByText('Received by the business').waitFor();
  await network.send({ status: 'read', message_id: network.receiver.inbound()[0]?.id });
  await message.getByText('Seen by the business').waitFor();

  await network.send({ text: { body: 'Welcome' } });
  const answer = page.getByRole('article').filter({ hasText: 'Welcome' });
  await answer.getByText('Reported: read').waitFor();
  // A received message has words instead of ticks.
  expect(await answer.locator('svg.lucide-check-check, svg.lucide-check').count()).toBe(0);
});

test('a phone chats with each business of the network', async () => {
  const network = await phones.startNetwork();
  const second = (
    await network.call('POST', '/simulator/numbers', { verified_name: 'Second Shop' })
  ).body;
  const { page } = await phones.open(network);
  await page.getByRole('button', { name: 'Test Business' }).click();
  await page.getByRole('menuitem', { name: 'Second Shop' }).click();
  await page.getByLabel('Write a message').fill('Are you new?');
  await page.keyboard.press('Enter');
  await eventuallyHolds(async () =>
    expect(await network.messages()).toMatchObject([
      { phone_number_id: second.phone_number_id, payload: { text: { body: 'Are you new?' } } },
    ]),
  );
  expect(page.url()).toContain(`#/${phone}/${second.phone_number_id}`);
});

test('the page has a strict policy with another nonce each time', async () => {
  const network = await phones.startNetwork();
  const nonces = [];
  for (const _ of [1, 2]) {
    const response = await fetch(network.url);
    const policy = String(response.headers.get('content-security-policy'));
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const nonce = /nonce" content="(.+?)"/.exec(await response.text())?.[1] ?? 'none';
    expect(policy).toContain(`'nonce-${nonce}'`);
    nonces.push(nonce);
  }
  expect(nonces[0]).not.toBe(nonces[1]);
});
