import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { disconnectNumber } from '../../../src/numbers/connecting/disconnect-number.ts';
import { syncTemplates } from '../../../src/templates/syncing/sync-templates.ts';
import { look, makeNarrowAndDark } from '../../browser/look.ts';
import { openWithin, pick, testDashboard } from '../../browser/open-dashboard.ts';
import { signIn } from '../../features/sign-in.ts';
import type { TestTenant } from '../../program/app.ts';
import { connectTestNumber, control } from '../../servers/control.ts';
import { onThePhone, writeTo } from '../../servers/phone.ts';

const app = testDashboard();
const ada = '+14155550123';

test('messages appear as they arrive; texts are sent inside the window, outside of it a template, which is filled and previewed', async () => {
  const shop = await app.tenant({ delivers: true });
  const page = await app.open(shop, { at: '/conversations' });
  await page.getByText('No conversations yet').waitFor();
  expect(await page.getByText('Choose a conversation').count()).toBe(0);
  await page.getByText('Live', { exact: true }).waitFor();
  await look(page, 'conversations-empty');

  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from: ada,
    profile_name: 'Ada',
    text: 'Is my *parcel* on its way? I paid 5*4 and 3*2, with ```TEA 4*2```, for _all of *it*_.',
  });
  await page.getByRole('link', { name: /^Ada/ }).click();
  await page.getByRole('log').getByText('parcel').waitFor();
  const written = page.getByRole('article').first();
  expect(await written.locator('strong').allInnerTexts()).toEqual(['parcel', 'it']);
  expect(await written.locator('code').innerText()).toBe('TEA 4*2');
  expect(await written.locator('em').innerText()).toBe('all of it');
  expect(await written.innerText()).toContain('5*4 and 3*2,');

  await page.getByRole('textbox', { name: 'Message' }).fill('Yes, it left this morning.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const answer = page.getByRole('article').filter({ hasText: 'it left this morning' });
  await answer.getByText('Delivered').waitFor({ state: 'attached' });

  await shop.call('POST', '/messages/send', {
    phone_number: ada,
    type: 'text',
    message: 'Sent by API, seen without a reload',
  });
  await page.getByRole('log').getByText('seen without a reload').waitFor();
  await look(page, 'conversation');

  await openWithin(page, `/t/${shop.slug}/conversations?phone=%2B14155550177`);
  await page.getByText('No messages yet.').waitFor();
  await page.getByRole('button', { name: 'Send a template' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Go to Templates' }).click();
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
  await page.getByRole('button', { name: 'Sync now' }).first().click();
  await page.getByText(/^Synced:/).waitFor();
  await page.getByRole('heading', { level: 2 }).first().waitFor();

  const { templates } = await control(
    app,
    'GET',
    `/simulator/templates?business_account_id=${shop.number.business_account_id}`,
  );
  const wanted = templates.find(
    (each: { status: string; components: { type: string; text?: string }[] }) =>
      each.status === 'APPROVED' &&
      each.components.length === 1 &&
      each.components[0]?.text?.includes('{{1}}'),
  );
  await page.getByRole('link', { name: 'Conversations', exact: true }).click();
  await page.getByRole('button', { name: 'New message' }).first().click();
  await page.getByRole('textbox', { name: 'Phone' }).fill('+1 (415) 555-0199');
  await page.getByRole('button', { name: 'Open conversation' }).click();
  await page.getByText('WhatsApp allows free-form messages for 24 hours').waitFor();
  const refusal = { success: false, message: 'Not at this moment.', errors: {} };
  // Until the message is read, not once: the page may ask before the dialog does.
  let isRefused = true;
  await page.route('**/template-overview', (route) =>
    isRefused ? route.fulfill({ status: 400, json: refusal }) : route.continue(),
  );
  await page.reload();
  await page.getByRole('button', { name: 'Send a template' }).click();
  await page.getByText('Not at this moment.').waitFor();
  isRefused = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await pick(page.getByLabel('Template', { exact: true }), `${wanted.name} (${wanted.language})`);
  const fields = page.getByRole('dialog').getByRole('textbox');
  for (let each = 0; each < (await fields.count()); each++) {
    await fields.nth(each).fill(`value ${each + 1}`);
  }
  await page.getByRole('dialog').getByText('value 1').first().waitFor();
  await look(page, 'send-template');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByRole('log').getByText('value 1').waitFor();

  await control(app, 'POST', '/simulator/behaviour', {
    phone: '+14155550199',
    failWith: 131026,
    failAs: 'callback',
  });
  await shop.call('POST', '/messages/send', {
    phone_number: '+14155550199',
    type: 'text',
    message: 'This one fails',
  });
  await page.getByText('This phone cannot receive the message').waitFor();
  await look(page, 'conversation-failed');
});

test('a draft stays: while the message is sent, after a refusal, and while another page is open', async () => {
  const shop = await app.tenant();
  const refused = '+14155550177';
  for (const [name, from] of [
    ['Ada', refused],
    ['Grace', '+14155550144'],
  ]) {
    await control(app, 'POST', '/simulator/inbound', {
      phone_number_id: shop.number.phone_number_id,
      from,
      profile_name: name,
      text: `I am ${name}`,
    });
  }
  const page = await app.open(shop, { at: '/conversations' });
  await page.getByRole('link', { name: /^Ada/ }).click();
  const field = page.getByRole('textbox', { name: 'Message' });
  const held: (() => Promise<void>)[] = [];
  let isHolding = true;
  await page.route('**/messages/send', (route) => {
    if (!isHolding) return route.continue();
    held.push(() => route.continue());
  });
  const letOn = async () => {
    await expect.poll(() => held.length).toBe(1);
    await held.pop()?.();
  };
  const bubbles = (text: string) => bubblesOf(page, text);
  await field.fill('The first');
  await field.press('Enter');
  await bubbles('The first').getByText('Sending', { exact: true }).waitFor({ state: 'attached' });
  await field.pressSequentially('and the ');
  await letOn();
  await waitUntilSent(page, 'The first');
  expect(await bubbles('The first').count()).toBe(1);
  await field.pressSequentially('second');
  expect(await field.inputValue()).toBe('and the second');

  await page.getByRole('link', { name: /^Grace/ }).click();
  await page.getByRole('log').getByText('I am Grace').waitFor();
  expect(await field.inputValue()).toBe('');
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByText('2 contacts').waitFor();
  await page.getByRole('link', { name: 'Conversations', exact: true }).click();
  await page.getByRole('link', { name: /^Ada/ }).click();
  await expect.poll(() => field.inputValue()).toBe('and the second');

  await control(app, 'POST', '/simulator/behaviour', {
    phone: refused,
    failWith: 131026,
    failAs: 'answer',
  });
  await field.press('Enter');
  await field.fill('sent meanwhile');
  await field.press('Enter');
  await field.fill('typed meanwhile');
  await page.getByRole('link', { name: /^Grace/ }).click();
  const entry = page.getByRole('link', { name: /^Ada/ });
  await entry.getByText('Sending', { exact: true }).waitFor({ state: 'attached' });
  await entry.getByText('sent meanwhile').waitFor();
  await entry.click();
  await bubbles('sent meanwhile').waitFor();
  await letOn();
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'This phone cannot receive the message.' });
  await notice.waitFor();
  expect(await notice.count()).toBe(1);
  expect(await field.inputValue()).toBe('and the second\nsent meanwhile\ntyped meanwhile');
  expect(await bubbles('sent meanwhile').count()).toBe(0);

  await page.getByRole('link', { name: /^Grace/ }).click();
  for (const text of ['One', 'Two', 'Three']) {
    await field.fill(text);
    await field.press('Enter');
  }
  for (const text of ['One', 'Two', 'Three']) {
    await letOn();
    await waitUntilSent(page, text);
  }

  isHolding = false;
  // Offline, it is refused at once, and a changed draft is not sent later.
  await page.context().setOffline(true);
  await field.fill('Four');
  await field.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'can’t be reached' }).waitFor();
  expect(await field.inputValue()).toBe('Four');
  await field.fill('Or five');
  await page.context().setOffline(false);
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('Or five');
});

test('a message or template whose response is lost is sent once, however often it is sent again', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  await writeTo(app, shop.number, ada, 'Where is my refund?');
  const page = await app.open(shop, { at: '/conversations?phone=%2B14155550123' });
  /** Lets messages reach the service, and loses the next responses. */
  let lost = 0;
  await page.route('**/messages/*', async (route) => {
    const response = await route.fetch();
    if (lost-- > 0) await route.abort('connectionreset');
    else await route.fulfill({ response });
  });
  const field = page.getByRole('textbox', { name: 'Message' });
  const unreachable = page.getByRole('alert').filter({ hasText: 'can’t be reached' });
  const sent = async () => {
    const messages = await onThePhone(app, shop);
    return messages
      .filter(({ direction }) => direction === 'outbound')
      .map(({ payload }) => payload.text?.body);
  };

  // One lost response is nobody's concern.
  lost = 1;
  await field.fill('It is on its way');
  await field.press('Enter');
  await page.getByRole('log').getByText('It is on its way').waitFor();
  await expect.poll(() => lost).toBe(-1);
  expect(await unreachable.count()).toBe(0);
  expect(await sent()).toEqual(['It is on its way']);

  lost = 2;
  await field.fill('Today');
  await field.press('Enter');
  await unreachable.filter({ hasText: 'You can send it again: it can’t arrive twice.' }).waitFor();
  expect(await field.inputValue()).toBe('Today');
  // The connection is back, so that the outcome of the message can be known.
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await expect.poll(() => field.inputValue()).toBe('');
  expect(await bubblesOf(page, 'Today').count()).toBe(1);
  expect(await sent()).toEqual(['It is on its way', 'Today']);

  lost = 2;
  await field.fill('Tomorrow');
  await field.press('Enter');
  await expect.poll(() => unreachable.count()).toBe(2);
  await field.press('Shift+Enter');
  await field.pressSequentially('Or later');
  await field.press('Enter');
  await page.getByRole('log').getByText('Or later').waitFor();
  await expect.poll(sent).toEqual(['It is on its way', 'Today', 'Tomorrow', 'Or later']);
  // All responses have arrived, so that those of the template are lost.
  await expect.poll(() => lost).toBe(-2);

  lost = 2;
  await page.getByRole('button', { name: 'Send a template' }).click();
  const dialog = page.getByRole('dialog');
  await pick(dialog.getByLabel('Template', { exact: true }), 'hello_world (en_US)');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('can’t be reached').waitFor();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await sent()).toHaveLength(5);
});

test('a dialog whose code does not arrive leaves the conversation as it is, and opens when the network is back', async () => {
  const shop = await app.tenant();
  await writeTo(app, shop.number, ada, 'Where is my refund?');
  const page = await app.open(shop);
  let isAway = true;
  await page.route('**/assets/send-template-*.js', (route) =>
    isAway ? route.abort() : route.continue(),
  );
  await openWithin(page, `/t/${shop.slug}/conversations?phone=%2B14155550123`);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('It is on its way');
  const open = page.getByRole('button', { name: 'Send a template' });
  const notice = page.getByRole('alert').filter({ hasText: 'can’t be reached' });
  await open.click();
  await notice.waitFor();
  await page.getByRole('log').getByText('Where is my refund?').waitFor();
  expect(await field.inputValue()).toBe('It is on its way');
  isAway = false;
  await Promise.all([
    page.waitForEvent('load'),
    notice.getByRole('button', { name: 'Try again' }).click(),
  ]);
  await expect.poll(() => field.inputValue()).toBe('It is on its way');
  await open.click();
  await page.getByRole('dialog', { name: 'Send a template' }).waitFor();
});

test('a text whose response was lost before the numbers were known is not sent again when they are', async () => {
  const shop = await app.tenant();
  await writeTo(app, shop.number, ada, 'Where is my refund?');
  const { promise: numbersMayLoad, resolve: loadNumbers } = Promise.withResolvers<void>();
  const holdNumbers = (page: Page) =>
    page.route('**/dashboard-api/*/numbers', async (route) => {
      await numbersMayLoad;
      await route.continue();
    });
  const page = await app.open(shop, {
    at: '/conversations?phone=%2B14155550123',
    before: holdNumbers,
  });
  const keys: (string | undefined)[] = [];
  await page.route('**/messages/send', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const response = await route.fetch();
    if (keys.length <= 2) await route.abort('connectionreset');
    else await route.fulfill({ response });
  });
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('It is on its way');
  await field.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'can’t be reached' }).waitFor();
  const loaded = page.waitForResponse('**/dashboard-api/*/numbers');
  loadNumbers();
  await (await loaded).finished();
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('');
  expect(new Set(keys).size).toBe(1);
  expect(keys.length).toBeGreaterThan(2);
});

test('a text that was on its way when the page was loaded again is sent once, and those after it are in the field', async () => {
  const shop = await app.tenant();
  await writeTo(app, shop.number, ada, 'Where is my refund?');
  const page = await app.open(shop, { at: '/conversations?phone=%2B14155550123' });
  page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
  const keys: (string | undefined)[] = [];
  const { promise: stored, resolve: isStored } = Promise.withResolvers<void>();
  await page.route('**/messages/send', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    // The service gets it, and its response never arrives.
    await route.fetch();
    isStored();
  });
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('It is on its way');
  await field.press('Enter');
  await field.fill('Today');
  await field.press('Enter');
  await field.fill('or tomorrow');
  await stored;
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('Today\nor tomorrow');
  await field.press('Enter');
  await waitUntilSent(page, 'Today\nor tomorrow');
  const messages = await onThePhone(app, shop);
  const sent = messages.filter(({ direction }) => direction === 'outbound');
  expect(sent.map(({ payload }) => payload.text?.body)).toEqual([
    'It is on its way',
    'Today\nor tomorrow',
  ]);
  expect(keys[1]).toBe(keys[0]);
});

test('a conversation whose mark as read was lost is marked when its tab is shown again', async () => {
  const shop = await app.tenant();
  await writeTo(app, shop.number, ada, 'Where is my refund?');
  const page = await app.open(shop, { at: '/conversations' });
  const entry = page.getByRole('link', { name: /1 unread message/ });
  let requests = 0;
  await page.route('**/dashboard-api/*/conversation', async (route) => {
    if (route.request().method() !== 'PUT' || ++requests > 1) return route.continue();
    await route.abort('connectionreset');
  });
  const lost = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT');
  await entry.click();
  await lost;
  for (const state of ['hidden', 'visible']) {
    await page.evaluate((value) => {
      const { document, Event } = globalThis as unknown as {
        document: EventTarget;
        Event: new (type: string) => Event;
      };
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  }
  await entry.waitFor({ state: 'detached' });
  expect(requests).toBe(2);
});

test('on a narrow screen, a long conversation can be assigned and closed', async () => {
  const shop = await app.tenant();
  for (let n = 1; n <= 12; n++) {
    await writeTo(app, shop.number, ada, `Question ${n}\nwith a second line`);
  }
  const page = await app.open(shop);
  await makeNarrowAndDark(page);
  await openWithin(page, `/t/${shop.slug}/conversations?phone=%2B14155550123`);
  await page.getByRole('log').getByText('Question 12').waitFor();
  await look(page, 'conversation-long');
  // As high as a phone is above its keyboard.
  await page.setViewportSize({ width: 360, height: 330 });
  const send = (await page.getByRole('button', { name: 'Send', exact: true }).boundingBox())!;
  expect(send.y + send.height).toBeLessThanOrEqual(330);
  const log = await page.getByRole('log').boundingBox();
  expect(log!.height).toBeGreaterThanOrEqual(120);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Reopen', exact: true }).waitFor();
});

test('a reply that is refused after another conversation is open leads back, and is a draft in the list', async () => {
  const shop = await app.tenant();
  const write = (from: string, profile_name: string) =>
    control(app, 'POST', '/simulator/inbound', {
      phone_number_id: shop.number.phone_number_id,
      from,
      profile_name,
      text: `I am ${profile_name}`,
    });
  await write('+14155550178', 'Ada');
  await write('+14155550144', 'Grace');
  const page = await app.open(shop, { at: '/conversations' });
  const held: ((status: number) => Promise<void>)[] = [];
  await page.route('**/messages/send', (route) => {
    held.push((status) =>
      route.fulfill({ status, json: { success: false, message: 'Not today.', errors: {} } }),
    );
  });
  const field = page.getByRole('textbox', { name: 'Message' });
  const entry = page.getByRole('link', { name: /^Ada/ });
  const mayClose = () =>
    page.evaluate(`dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
  await entry.click();
  await field.fill('Your parcel\nis on its way');
  expect(await mayClose()).toBe(true);
  await field.press('Enter');
  await page.getByRole('link', { name: /^Grace/ }).click();
  await page.getByRole('log').getByText('I am Grace').waitFor();
  await expect.poll(() => held.length).toBe(1);
  // Closing the tab would lose it.
  expect(await mayClose()).toBe(false);
  await held[0]!(422);
  const notice = page.getByRole('alert').filter({ hasText: 'Message to Ada: Not today.' });
  await notice.waitFor();
  expect(await mayClose()).toBe(true);
  await entry.getByText('Draft:').waitFor();
  await entry.getByText('Your parcel is on its way').waitFor();
  await look(page, 'conversations-draft');
  await page.getByRole('button', { name: 'Open conversation' }).click();
  await page.getByRole('log').getByText('I am Ada').waitFor();
  expect(await field.inputValue()).toBe('Your parcel\nis on its way');
  expect(await entry.getByText('Draft:').count()).toBe(0);
});

test('a reply that is being written when the 24 hours end stays, is not sent, and its letters are no commands', async () => {
  const shop = await app.tenant();
  await writeTo(app, shop.number, '+14155550145', 'I am Grace');
  await writeTo(app, shop.number, ada, 'I am Ada');
  const page = await app.open(shop, {
    at: '/conversations?phone=%2B14155550123',
    before: (page) => page.clock.install(),
  });
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.pressSequentially('I will ');
  await page.getByText('Live', { exact: true }).waitFor();

  // Data that all conversations share is loaded only once.
  await page.clock.fastForward('00:10');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.locator('[data-phone="+14155550145"]').click();
  await page.getByRole('log').getByText('I am Grace').waitFor();
  await page.locator(`[data-phone="${ada}"]`).click();
  await page.getByRole('log').getByText('I am Ada').waitFor();
  const ofAll = /\/(members|numbers|statuses|sources|groups)$/;
  expect(asked.filter((path) => ofAll.test(path))).toEqual([]);
  expect(asked.some((path) => path.endsWith('/conversation'))).toBe(true);

  await page.clock.fastForward('24:00:01');
  await page.getByRole('status').filter({ hasText: 'for 24 hours' }).waitFor();
  await page.keyboard.type('check');
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('I will ');
  expect(page.url()).toContain('phone=%2B14155550123');
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  await look(page, 'conversation-ended-while-writing');
  const messages = await onThePhone(app, shop);
  expect(messages.map(({ direction }) => direction)).toEqual(['inbound', 'inbound']);
});

test('without its numbers, the page says so, and never that the 24 hours have ended', async () => {
  const shop = await app.tenant();
  await writeTo(app, shop.number, ada, 'Are you there?');
  const json = { success: false, message: 'Not now.', errors: {} };
  let isRefused = true;
  const page = await app.open(shop, {
    at: '/conversations?phone=%2B14155550123',
    before: (page) =>
      page.route('**/numbers', (route) =>
        isRefused ? route.fulfill({ status: 400, json }) : route.continue(),
      ),
  });
  const field = page.getByRole('textbox', { name: 'Message' });
  const closed = page.getByText('WhatsApp allows free-form messages for 24 hours');
  await page.getByText('Not now.').waitFor();
  // The service chooses the number of the conversation.
  await field.fill('Yes');
  await field.press('Enter');
  await waitUntilSent(page, 'Yes');
  expect(await closed.count()).toBe(0);
  await look(page, 'conversation-without-numbers');
  isRefused = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Not now.').waitFor({ state: 'detached' });

  await disconnectNumber(app.db, shop.id, shop.number.phone_number_id);
  await page.reload();
  await page.getByText('No number is connected').waitFor();
  await page.getByRole('link', { name: 'Go to Numbers' }).waitFor();
  expect(await closed.count()).toBe(0);
  await look(page, 'conversation-no-number');
});

test('a contact that is made or deleted on its page is so in the conversations that were open before', async () => {
  // So that there is no contact of the phone yet.
  const shop = await app.tenant();
  await shop.call('POST', '/messages/send', {
    phone_number: ada,
    type: 'text',
    message: 'Your parcel is here',
  });
  const page = await app.open(shop, { at: '/conversations?phone=%2B14155550123' });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('heading', { level: 2, name: ada }).waitFor();
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByRole('button', { name: 'New contact' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('First name').fill('Ada');
  await dialog.getByLabel('Phone').fill(ada);
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { level: 2, name: 'Ada' }).waitFor();
  await page.getByRole('link', { name: /^Ada/ }).waitFor();

  // It opens over the conversation at once, so that nothing typed there goes into the contact when this arrives.
  const { promise: wanted, resolve: give } = Promise.withResolvers<void>();
  await page.route(/\/contacts\/\d+$/, async (route) => {
    await wanted;
    await route.continue();
  });
  const open = page.getByRole('button', { name: 'Contact', exact: true });
  const loading = page.getByRole('dialog', { name: 'Loading' });
  const contact = page.getByRole('dialog', { name: 'Ada' });
  await open.click();
  await loading.waitFor();
  await page.keyboard.press('Escape');
  await loading.waitFor({ state: 'detached' });
  await open.and(page.locator(':focus')).waitFor();
  await open.click();
  await loading.waitFor();
  give();
  await contact.getByLabel('First name').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await open.and(page.locator(':focus')).waitFor();
  await open.click();
  await contact.getByLabel('First name').waitFor();
  expect(await contact.getByRole('link', { name: 'Conversation' }).count()).toBe(0);
  await contact.getByLabel('Last name').fill('Lovelace');
  await contact.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 2, name: 'Ada Lovelace' }).waitFor();

  await page.goForward();
  await page.getByRole('checkbox', { name: /Ada/ }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Contact deleted.').waitFor();
  await page.goBack();
  await page.getByText('No messages yet.').waitFor();
  await page.getByText('No conversations yet').waitFor();
});

test('on a touch screen, Enter makes a new line', async () => {
  const shop = await app.tenant();
  await writeTo(app, shop.number, ada, 'Are you there?');
  const desk = (await app.open(shop)).context();
  const phone = await desk.browser()!.newContext({
    ignoreHTTPSErrors: true,
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
    storageState: await desk.storageState(),
  });
  onTestFinished(() => phone.close());
  const page = await phone.newPage();
  await page.goto(`${app.origin}/t/${shop.slug}/conversations?phone=%2B14155550123`);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.pressSequentially('Hello Ada,');
  await field.press('Enter');
  await field.pressSequentially('yes.');
  expect(await field.inputValue()).toBe('Hello Ada,\nyes.');
  expect(await field.getAttribute('enterkeyhint')).toBe('enter');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await waitUntilSent(page, 'Hello Ada,\nyes.');
  expect(await onThePhone(app, shop)).toHaveLength(2);
});

test('texts, files, places, people, quotes and reactions are shown; what is gone or lacks fields says so', async () => {
  const shop = await app.tenant({ delivers: true });
  const write = (content: object, from = ada, profile_name = 'Ada') =>
    control(app, 'POST', '/simulator/inbound', {
      phone_number_id: shop.number.phone_number_id,
      from,
      profile_name,
      ...content,
    });
  const picture = await upload(shop, 'image/png', smallPicture);
  const invoice = await upload(shop, 'application/pdf', Buffer.from('%PDF-1.4 an invoice'));
  const messages: [string, object][] = [
    ['image', { id: picture, mime_type: 'image/png', caption: 'It came like this' }],
    ['document', { id: invoice, mime_type: 'application/pdf', filename: 'invoice.pdf' }],
    ['image', { id: '404', mime_type: 'image/png' }],
    ['location', { latitude: 52.5, longitude: 13.4, name: 'The Gate', address: 'Platz 1' }],
    ['location', { latitude: 52.5, longitude: 13.4 }],
    ['contacts', [{ name: { formatted_name: 'Bea' }, phones: [{ phone: '+1 415' }] }, null]],
    ['reaction', { message_id: 'wamid.A', emoji: '👍' }],
    ['order', { catalog_id: '1' }],
  ];
  for (const [type, content] of messages) await write({ type, [type]: content });

  const files = await serveFiles();
  await addPictureTemplate(shop);
  const send = async (path: string, body: object) => {
    const sent = await shop.call('POST', path, { phone_number: ada, ...body });
    expect([sent.status, sent.body.message]).toEqual([200, expect.any(String)]);
    return sent.body.data.message_id as string;
  };
  const file = (path: string) => `${files.origin}${path}`;
  await send('/messages/media', { type: 'image', media_url: file('/a.png'), caption: 'Here' });
  await send('/messages/media', { type: 'document', media_url: file('/prices.pdf') });
  await send('/messages/media', { type: 'image', media_url: file('/gone.png') });
  await send('/messages/template', {
    template_name: 'spring_sale',
    template_language: 'en',
    header_media_url: file('/a.png'),
  });
  files.losePicture();
  const word = `https://shop.example/${'a'.repeat(300)}`;
  await send('/messages/send', { type: 'text', message: word });
  const wamid = await send('/messages/send', { type: 'text', message: 'Shall we *wrap* it?' });
  await write({ text: 'Yes, please', context: wamid });
  await write({ type: 'reaction', reaction: { message_id: wamid, emoji: '👍' } });
  await write({ type: 'reaction', reaction: { message_id: wamid, emoji: '🎁' } });

  const page = await app.open(shop, { at: '/conversations?phone=%2B14155550123' });
  const log = page.getByRole('log');
  const article = (hasText: string) => log.getByRole('article').filter({ hasText });
  const question = article('Shall we wrap it?').filter({ hasText: 'Delivered' });
  await question.getByText('Ada: 🎁').waitFor({ state: 'attached' });
  await log.getByRole('button', { name: 'You Shall we wrap it?' }).waitFor();
  // The two reactions to a message of the conversation are no messages of their own.
  expect(await log.getByRole('article').count()).toBe(messages.length + 7);

  await log.getByRole('link', { name: 'The Gate Platz 1' }).waitFor();
  await log.getByRole('link', { name: 'Location 52.5, 13.4' }).waitFor();
  const people = article('Bea').getByRole('listitem');
  expect(await people.allTextContents()).toEqual(['Bea+1 415', 'Contact']);
  await log.getByText('Reaction: 👍').waitFor();
  await log.getByText('Order', { exact: true }).waitFor();

  await article('It came like this').getByRole('img', { name: 'Photo' }).waitFor();
  for (const text of ['It came like this', 'Here', 'Our spring sale has begun.']) {
    const shown = article(text).getByRole('img');
    await shown.scrollIntoViewIfNeeded();
    await expect
      .poll(() => shown.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBe(2);
  }
  await log.getByText('no longer has this file').scrollIntoViewIfNeeded();
  const lost = article('address no longer works');
  expect(await lost.getByRole('link').getAttribute('href')).toBe(file('/gone.png'));
  // The long word is broken.
  expect(
    await log.evaluate(
      (found: { scrollWidth: number; clientWidth: number }) =>
        found.scrollWidth - found.clientWidth,
    ),
  ).toBe(0);
  await look(page, 'conversation-of-every-kind');

  for (const [link, name] of [
    ['invoice.pdf', 'invoice.pdf'],
    ['prices.pdf Open the file', 'prices.pdf'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: link }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
  }

  // Right-to-left texts keep their beginning wherever a line is cut.
  const text = 'السلام عليكم، أين طلبي الذي اشتريته من متجركم يوم الأحد الماضي؟';
  await write({ text }, '+14155550188', 'فاطمة بنت محمد الفهرية القرشية من مدينة القيروان');
  const entry = page.getByRole('link', { name: /^فاطمة/ });
  await entry.click();
  await page.getByRole('heading', { level: 2, name: /^فاطمة/ }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  const isFromRight = (found: Locator) =>
    found.evaluate((element: { matches(selector: string): boolean }) =>
      element.matches(':dir(rtl)'),
    );
  for (const found of [
    entry.getByText('فاطمة'),
    entry.getByText('السلام'),
    page.getByRole('heading', { level: 2 }),
    page.getByRole('textbox', { name: 'Message' }),
  ]) {
    expect(await isFromRight(found)).toBe(true);
  }
  await look(page, 'conversation-right-to-left');

  await openWithin(page, `/t/${shop.slug}/contacts`);
  const person = page.getByRole('button', { name: /^فاطمة/ });
  expect(await isFromRight(person)).toBe(true);
  await look(page, 'contacts-right-to-left');
  await person.click();
  expect(await isFromRight(page.getByLabel('First name'))).toBe(true);
});

test('a conversation with many pictures shows them all', async () => {
  const shop = await app.tenant();
  const id = await upload(shop, 'image/png', smallPicture);
  const image = { id, mime_type: 'image/png' };
  const { phone_number_id } = shop.number;
  const message = { phone_number_id, from: '+14155550198', type: 'image', image };
  for (let each = 0; each < 45; each++) {
    await control(app, 'POST', '/simulator/inbound', message);
  }
  const page = await app.open(shop, { at: '/conversations' });
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/media/')) statuses.push(response.status());
  });
  await page.getByRole('link', { name: /^\+14155550198/ }).click();
  await expect.poll(() => statuses.length).toBe(45);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a long conversation keeps its scroll position, and follows its end while that is visible', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status, network_id,
                          created_at)
    select ${shop.id}, ${shop.number.id}, 'in', ${ada}, 'text', json_build_object('text', 'No. ' || n),
           'received', 'wamid.long.' || n, now() - (80 - n) * interval '1 minute'
    from generate_series(1, 80) as n`);
  const page = await app.open(shop, { at: '/conversations?phone=%2B14155550123' });
  const log = page.getByRole('log');
  const isInSight = (text: string) => () =>
    Promise.all([log.getByText(text, { exact: true }).boundingBox(), log.boundingBox()]).then(
      ([box, around]) => box!.y >= around!.y && box!.y + box!.height <= around!.y + around!.height,
    );
  const write = (message: object) =>
    control(app, 'POST', '/simulator/inbound', {
      phone_number_id: shop.number.phone_number_id,
      from: ada,
      ...message,
    });
  await log.getByText('No. 80').waitFor();
  await expect.poll(isInSight('No. 80')).toBe(true);

  // No. 81 is as high as the message that it pushes out of sight.
  await write({ text: 'No. 81' });
  await expect.poll(isInSight('No. 81')).toBe(true);

  // A scroll by the page itself is reported late, when there may be more below already.
  await log.evaluate((element: EventTarget) => {
    element.addEventListener('load', () => element.dispatchEvent(new Event('scroll')), true);
  });
  // A picture is higher once it is loaded.
  const id = await upload(shop, 'image/png', highPicture);
  await write({ type: 'image', image: { id, mime_type: 'image/png', caption: 'It came so' } });
  await expect.poll(isInSight('It came so')).toBe(true);
  await expect
    .poll(() =>
      log.getByRole('img').evaluate((image: { naturalHeight: number }) => image.naturalHeight),
    )
    .toBeGreaterThan(2);
  await expect.poll(isInSight('It came so')).toBe(true);

  await log.evaluate((element: { scrollTop: number }) => {
    element.scrollTop = 0;
  });
  await page.getByRole('button', { name: 'Show older messages' }).click();
  await log.getByText('No. 1', { exact: true }).waitFor();
  expect(await isInSight('No. 34')()).toBe(true);
  await write({ text: 'Are you there?' });
  await log.getByText('Are you there?').waitFor();
  expect(await isInSight('No. 34')()).toBe(true);
  const newBelow = page.getByRole('button', { name: 'New messages', exact: true });
  await newBelow.waitFor();
  await look(page, 'conversation-new-below');
  await newBelow.click();
  await expect.poll(isInSight('Are you there?')).toBe(true);
  await newBelow.waitFor({ state: 'detached' });

  await page.getByRole('textbox', { name: 'Message' }).fill('We are');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await log.getByText('We are', { exact: true }).waitFor();
  await expect.poll(isInSight('We are')).toBe(true);

  // In print there are all messages, and no buttons but the times of messages, which print as text.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect
    .poll(() =>
      log.evaluate((element: { scrollHeight: number; clientHeight: number }) =>
        Math.abs(element.scrollHeight - element.clientHeight),
      ),
    )
    .toBe(0);
  expect(await page.getByRole('navigation').count()).toBe(0);
  const buttons = page.getByRole('button').filter({ hasNot: page.locator('time') });
  expect(await buttons.count()).toBe(0);
  expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
    'rgb(255, 255, 255)',
  );
});

test('a screen reader hears of a new message once, and not of those that were there before', async () => {
  const shop = await app.tenant();
  for (let count = 0; count < 51; count++) await writeTo(app, shop.number, ada, `Text ${count}`);
  const page = await app.open(shop, { at: '/conversations' });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate(`
    window.heard = [];
    new MutationObserver((mutations) => {
      for (const { target, addedNodes } of mutations) {
        const element = target.nodeType === 1 ? target : target.parentElement;
        const text = (addedNodes[0] ?? target).textContent;
        if (text && element?.closest('[aria-live=polite], [role=status]')) heard.push(text);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  `);
  const heard = async () => {
    const texts = (await page.evaluate('heard')) as string[];
    return texts.filter((text) => !text.startsWith('Unread'));
  };
  const log = page.getByRole('log');
  const isLive = () => expect.poll(() => log.getAttribute('aria-live')).toBe('polite');
  await page.getByRole('link', { name: /Text 50/ }).click();
  await isLive();
  await page.getByRole('button', { name: 'Show older messages' }).click();
  await log.getByText('Text 0', { exact: true }).waitFor();
  await isLive();
  expect(await heard()).toEqual([]);

  await writeTo(app, shop.number, ada, 'Are you there?');
  await log.getByText('Are you there?').waitFor();
  expect(await heard()).toEqual([expect.stringContaining('Are you there?')]);
});

test('on a low screen, as with large zoom, the page scrolls and its messages can be read', async () => {
  const shop = await app.tenant();
  await writeTo(app, shop.number, ada, 'I am Ada');
  const page = await app.open(shop, { at: `/conversations?phone=${encodeURIComponent(ada)}` });
  await page.setViewportSize({ width: 320, height: 256 });
  const log = page.getByRole('log');
  await log.getByText('I am Ada').waitFor();
  const { y, height } = (await log.boundingBox())!;
  expect(height).toBeGreaterThan(100);
  const close = await page.getByRole('button', { name: 'Close', exact: true }).boundingBox();
  expect(close!.y + close!.height).toBeLessThanOrEqual(y);
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await send.scrollIntoViewIfNeeded();
  const sending = (await send.boundingBox())!;
  expect(sending.y + sending.height).toBeLessThanOrEqual(256);
});

test('a conversation is found by name or phone while typing; if there is none, the search can be cleared', async () => {
  const shop = await app.tenant();
  const contacts = [
    ['Ada', ada],
    ['Grace', '+14155550144'],
  ];
  for (const [firstname, phone] of contacts) {
    await shop.call('POST', '/contacts', { firstname, lastname: 'Hopper', phone });
    const text = { type: 'text', message: `Hello ${firstname}` };
    await shop.call('POST', '/messages/send', { phone_number: phone, ...text });
  }
  const page = await app.open(shop, { at: '/conversations' });
  const list = page.getByRole('region', { name: 'Conversations, newest first' });
  const field = list.getByRole('searchbox', { name: 'Search conversations' });
  await list.getByRole('listitem').nth(1).waitFor();

  await field.pressSequentially('grace h');
  await list.getByText('1 conversation found').waitFor({ state: 'attached' });
  expect(await list.getByRole('listitem').allTextContents()).toEqual([
    expect.stringContaining('Grace Hopper'),
  ]);
  await list.getByRole('link', { name: /^Grace/ }).click();
  await page.getByRole('log').getByText('Hello Grace').waitFor();
  expect(await field.inputValue()).toBe('grace h');
  await look(page, 'conversations-search');

  await field.fill('+1 (415) 555-0123');
  await list.getByRole('link', { name: /^Ada/ }).waitFor();
  await list.getByRole('link', { name: /^Grace/ }).waitFor({ state: 'detached' });

  await field.fill('grace');
  await list.getByRole('link', { name: /^Grace/ }).waitFor();
  // As a display shows a call of the same country.
  await field.fill('0415 555-0123');
  await list.getByRole('link', { name: /^Ada/ }).waitFor();
  await list.getByRole('link', { name: /^Grace/ }).waitFor({ state: 'detached' });

  await field.fill('nobody');
  await list.getByText('No conversations found').waitFor();
  await look(page, 'conversations-search-empty');
  await list.getByRole('button', { name: 'Clear search' }).click();
  await list.getByRole('listitem').nth(1).waitFor();
  expect(await field.inputValue()).toBe('');
});

test('a text or caption that is too long stays whole in its field and is not sent', async () => {
  const shop = await app.tenant();
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from: ada,
    text: 'Your terms?',
  });
  const page = await app.open(shop, { at: `/conversations?phone=${encodeURIComponent(ada)}` });
  await page.getByRole('log').getByText('Your terms?').waitFor();
  const field = page.getByRole('textbox', { name: 'Message' });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const tooLong = `${'🍵'.repeat(4_096)}!`;
  await field.fill(tooLong);
  await page.getByText('4,097 of 4,096 characters').waitFor();
  expect(await field.inputValue()).toBe(tooLong);
  expect(await send.isDisabled()).toBe(true);
  await field.press('Enter');
  await look(page, 'conversations-long-text');
  expect(await field.inputValue()).toBe(tooLong);
  await field.press('Backspace');
  await page.getByText('4,097 of 4,096 characters').waitFor({ state: 'detached' });
  expect(await send.isDisabled()).toBe(false);
  await field.fill('');

  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'terms.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4 terms'),
    });
  const dialog = page.getByRole('dialog');
  const caption = dialog.getByRole('textbox', { name: 'Caption' });
  await caption.fill('x'.repeat(1_025));
  await dialog.getByText('1,025 of 1,024 characters').waitFor();
  expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await caption.press('Backspace');
  await dialog.getByText('1,025 of 1,024 characters').waitFor({ state: 'detached' });
  expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(false);
});

test('unread conversations are marked until somebody opens them, and can be closed and assigned', async () => {
  const shop = await app.tenant();
  const colleague = await signIn(app, shop, 'staff', 'Grace Hopper');
  const write = (from: string, name: string, text: string) =>
    control(app, 'POST', '/simulator/inbound', {
      phone_number_id: shop.number.phone_number_id,
      from,
      profile_name: name,
      text,
    });
  await write('+14155550144', 'Bea', 'Hello, it is Bea');
  await write(ada, 'Ada', 'Hello');
  await write(ada, 'Ada', 'Is anybody there?');
  await shop.call('POST', '/groups', { name: 'Berlin' });

  const page = await app.open(shop, { role: 'staff' });
  const changes: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') changes.push(request.postData() ?? '');
  });
  await page.getByRole('link', { name: 'Conversations', exact: true }).click();
  const list = page.getByRole('region', { name: 'Conversations, newest first' });
  const entry = list.getByRole('link', { name: /^Ada/ });
  const view = (name: string) => list.getByRole('button', { name, exact: true });
  await entry.getByText('2 unread messages').waitFor({ state: 'attached' });
  await page.getByText('Live', { exact: true }).waitFor();
  await look(page, 'conversations-unread');
  await view('Mine').click();
  await list.getByText('No open conversations are assigned to you').waitFor();
  await look(page, 'conversations-mine-empty');
  await list.getByRole('button', { name: 'Show all' }).click();

  await entry.click();
  await page.getByRole('log').getByText('Is anybody there?').waitFor();
  await entry.getByText('2 unread messages').waitFor({ state: 'detached' });
  await write(ada, 'Ada', 'A third one');
  await page.getByRole('log').getByText('A third one').waitFor();
  await expect.poll(() => changes.length).toBe(2);
  await view('Unread').click();
  await list.getByRole('link', { name: /^Bea/ }).waitFor();
  await entry.waitFor({ state: 'detached' });
  expect(page.url()).toContain('view=unread');
  await page.reload();
  await list.getByRole('link', { name: /^Bea/ }).waitFor();
  expect(await entry.count()).toBe(0);
  // The open conversation has nothing unread, so nothing was requested.
  expect(changes).toEqual(Array(2).fill(JSON.stringify({ phone: ada, read: true })));

  await view('Unassigned').click();
  await entry.waitFor();
  await page.getByRole('button', { name: 'Assigned to: Unassigned' }).click();
  await page.getByRole('option', { name: 'Ada Lovelace (you)' }).click();
  await page.getByRole('button', { name: 'Assigned to: Ada Lovelace (you)' }).waitFor();
  await entry.waitFor({ state: 'detached' });
  await view('Mine').click();
  await entry.waitFor();
  await look(page, 'conversation-assigned');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await list.getByText('No open conversations are assigned to you').waitFor();
  await view('All').click();
  await entry.getByText('Closed', { exact: true }).waitFor();
  await look(page, 'conversations-closed');
  // A notification by a program opens no conversation, so nobody has closed it.
  await shop.call('POST', '/messages/send', {
    phone_number: '+14155550177',
    type: 'text',
    message: 'Your order is on its way',
  });
  const notified = list.locator('[data-phone="+14155550177"]');
  await notified.waitFor();
  expect(await notified.getByText('Closed', { exact: true }).count()).toBe(0);

  await colleague.call('PUT', '/conversation', {
    phone: ada,
    is_open: true,
    assignee: colleague.userId,
  });
  await page.getByRole('button', { name: 'Assigned to: Grace Hopper' }).waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
  await entry.getByText('Grace Hopper').waitFor();
  await look(page, 'conversations-of-a-colleague');
  await view('Mine').click();
  await list.getByText('No open conversations are assigned to you').waitFor();

  await pick(list.getByRole('combobox', { name: 'Label' }), 'Berlin');
  await list.getByText('No conversations match').waitFor();
});

test('without streaming, messages still appear without a reload', async () => {
  const shop = await app.tenant();
  let knowsStreams = false;
  const prepare = async (page: Page) => {
    // A fake clock, so that the test need not wait for periodic requests.
    await page.clock.install();
    // As behind a proxy that does not support streams.
    await page.route('**/live*', (route) =>
      knowsStreams ? route.continue() : route.fulfill({ status: 502, body: 'Bad gateway' }),
    );
  };
  const page = await app.open(shop, { at: '/conversations', before: prepare });
  await page.clock.runFor(10_000);
  await page.getByText('Checking for updates every few seconds').waitFor();
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from: ada,
    profile_name: 'Ada',
    text: 'Is anybody there?',
  });
  await page.clock.runFor(5_000);
  await page.getByRole('link', { name: /^Ada/ }).click();
  await page.getByRole('log').getByText('Is anybody there?').waitFor();
  await shop.call('POST', '/messages/send', {
    phone_number: ada,
    type: 'text',
    message: 'We are, always',
  });
  await page.clock.runFor(5_000);
  await page.getByRole('log').getByText('We are, always').waitFor();
  await page.getByText('Checking for updates every few seconds').waitFor();

  knowsStreams = true;
  await page.clock.runFor(10_000);
  await page.getByText('Live', { exact: true }).waitFor();
});

function bubblesOf(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });
}

/** A text is shown before it is sent. */
async function waitUntilSent(page: Page, text: string): Promise<void> {
  const ticks = bubblesOf(page, text).getByText(/^(Sent|Delivered)$/);
  await ticks.waitFor({ state: 'attached' });
}

/** A white strip, 8 wide and 400 high. */
const highPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAGQAQAAAAC7Nhy8AAAAEUlEQVR42mP4zzAKR+EoxAEBtpKOgG3wWKIAAAAASUVORK5CYII=',
  'base64',
);

/** Two red pixels. */
const smallPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGM4oKAARAAIRwIBVrfQ3wAAAABJRU5ErkJggg==',
  'base64',
);

/** Stores a file where the network stores those from people. */
async function upload(shop: TestTenant, type: string, bytes: Buffer): Promise<string> {
  const id = shop.number.phone_number_id;
  const { access_token: token } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: id,
  });
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'file');
  const uploaded = await fetch(`${app.simulator.url}/v25.0/${id}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return ((await uploaded.json()) as { id: string }).id;
}

/** Serves pictures and documents. `losePicture` takes one of the pictures away. */
async function serveFiles(): Promise<{ origin: string; losePicture(): void }> {
  let isGone = false;
  const files = createServer((request, response) => {
    const isPdf = request.url?.endsWith('.pdf');
    if (request.url === '/gone.png' && isGone) return response.writeHead(404).end();
    response.setHeader('content-type', isPdf ? 'application/pdf' : 'image/png');
    return response.end(isPdf ? '%PDF-1.4 prices' : smallPicture);
  });
  files.listen(0, '127.0.0.1');
  await once(files, 'listening');
  onTestFinished(() => {
    files.closeAllConnections();
    files.close();
  });
  const { port } = files.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    losePicture: () => {
      isGone = true;
    },
  };
}

/** Adds a template with a picture in its header. */
async function addPictureTemplate(shop: TestTenant): Promise<void> {
  await control(app, 'POST', '/simulator/templates', {
    business_account_id: shop.number.business_account_id,
    name: 'spring_sale',
    language: 'en',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Our spring sale has begun.' },
    ],
  });
  await syncTemplates(app.services, shop.id);
}

test('a member sees which number a message is of, and chooses the one that sends', async () => {
  const shop = await app.tenant();
  const { business_account_id } = shop.number;
  const second = await connectTestNumber(app, shop.id, { business_account_id });
  const from = '+14155550188';
  await writeTo(app, second, from, 'Do you open today?');
  const page = await app.open(shop, { at: `/conversations?phone=${encodeURIComponent(from)}` });
  const thread = page.getByRole('log', { name: 'Messages' });
  await thread.getByText(second.display_phone_number!).waitFor();
  const choice = page.getByRole('combobox', { name: 'From' });
  expect(await choice.inputValue()).toBe(String(second.id));

  // Nothing moves when the numbers come, although only they tell whether there are such choices.
  const field = page.getByRole('textbox', { name: 'Message' });
  const placesOf = () =>
    Promise.all([page.locator('section li a'), field].map((each) => each.boundingBox()));
  const places = await placesOf();
  const { promise: numbersMayLoad, resolve: loadNumbers } = Promise.withResolvers<void>();
  await page.route('**/dashboard-api/*/numbers', async (route) => {
    await numbersMayLoad;
    await route.continue();
  });
  await page.reload();
  await field.waitFor();
  await page.locator('section li a').waitFor();
  expect(await choice.count()).toBe(0);
  expect(await placesOf()).toEqual(places);
  loadNumbers();
  await choice.waitFor();
  await page.getByRole('combobox', { name: 'Number' }).waitFor();
  expect(await placesOf()).toEqual(places);

  await page.getByRole('textbox', { name: 'Message' }).fill('We open at nine.');
  await page.keyboard.press('Enter');
  await waitUntilSent(page, 'We open at nine.');
  await look(page, 'conversation-two-numbers');

  // The person has not written to the other number.
  await choice.focus();
  await choice.selectOption(String(shop.number.id));
  await page.getByText('Choose the number that this person wrote to').waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
  const sent = await onThePhone(app, { ...shop, number: second });
  expect(sent.map((each) => each.direction)).toEqual(['inbound', 'outbound']);

  // A queued message is sent from the number that was selected when it was written.
  await writeTo(app, shop.number, from, 'And here?');
  const senders: string[] = [];
  const held: (() => Promise<void>)[] = [];
  await page.route('**/messages/send', (route) => {
    senders.push(route.request().postDataJSON().from);
    held.push(() => route.continue());
  });
  const write = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
  };
  await write('One');
  await write('Two');
  await choice.selectOption(String(second.id));
  await write('Three');
  for (let count = 1; count <= 3; count++) {
    await expect.poll(() => held.length).toBe(count);
    await held[count - 1]!();
  }
  await thread.getByText('Three').waitFor();
  const [one, other] = [shop.number.phone_number_id, second.phone_number_id];
  expect(senders).toEqual([one, one, other]);
});

test('a person whose phone is hidden is asked for it, and the contact gets it', async () => {
  const shop = await app.tenant();
  const phone = '14155550166';
  const { phone_number_id } = shop.number;
  await control(app, 'POST', '/simulator/phones', { phone, name: 'Ana' });
  await control(app, 'PATCH', `/simulator/phones/${phone}`, { username: 'ana.177', hidden: true });
  await control(app, 'POST', '/simulator/inbound', { phone_number_id, from: phone, text: 'Hi' });
  const page = await app.open(shop, { at: '/conversations' });
  await page.getByRole('link', { name: /^Ana/ }).click();
  await page.getByRole('button', { name: 'Ask for the phone' }).click();
  await look(page, 'ask-for-phone');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText('The phone appears when the person shares it.').waitFor();
  await page.getByRole('article').getByText('Share phone number').waitFor();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Your parcel');

  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id,
    from: phone,
    type: 'contacts',
    contacts: [{ origin: 'contact_request', phones: [{ phone: `+${phone}`, wa_id: phone }] }],
  });
  await page.getByRole('article').getByText(`+${phone}`).waitFor();
  // The address still has the user id. The conversation is the open one of the list, and the draft stays in both.
  await page.getByRole('button', { name: 'Ask for the phone' }).waitFor({ state: 'detached' });
  const entry = page.locator('section').getByRole('link', { name: /^Ana/ });
  expect(await entry.getAttribute('href')).toContain(`phone=%2B${phone}`);
  expect(await entry.getAttribute('aria-current')).toBe('page');
  expect(await field.inputValue()).toBe('Your parcel');
  await entry.click();
  await page.waitForURL(`**/conversations?phone=%2B${phone}`);
  await page.getByRole('article').getByText(`+${phone}`).waitFor();
  expect(await field.inputValue()).toBe('Your parcel');
  const { body } = await shop.call('GET', '/contacts');
  expect(body.data).toMatchObject([{ phone: `+${phone}`, user_id: expect.any(String) }]);
});
