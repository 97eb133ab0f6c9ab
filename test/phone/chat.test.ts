import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventuallyHolds } from '../checks/eventually.ts';
import { axeProblems, phone, testPhones } from './open-phone.ts';

const phones = testPhones();

test('a text arrives live, is read because the chat is open, and gets a reply', async () => {
  const network = await phones.startNetwork();
  const { page, browserErrors } = await phones.open(network);
  await network.send({ text: { body: 'Is *anyone* there?' } });
  await page.getByText('anyone').first().waitFor();
  expect(await page.getByRole('article').locator('strong').textContent()).toBe('anyone');
  await eventuallyHolds(() =>
    expect(network.receiver.statuses().map((one) => one.status)).toEqual([
      'sent',
      'delivered',
      'read',
    ]),
  );
  await page.getByText('Reported: read').waitFor();

  await page.getByLabel('Write a message').fill('Yes, here');
  await page.keyboard.press('Enter');
  await eventuallyHolds(() =>
    expect(network.receiver.inbound()).toMatchObject([
      { from: phone, text: { body: 'Yes, here' } },
    ]),
  );
  const message_id = network.receiver.inbound()[0]?.id;
  await network.send({ status: 'read', message_id });
  await page.getByText('Seen by the business').waitFor({ state: 'attached' });
  expect(browserErrors).toEqual([]);
});

test('messages that arrive in quick succession are all read', async () => {
  const network = await phones.startNetwork();
  await network.call('POST', '/simulator/numbers', {
    phone_number_id: network.number.phone_number_id,
    limits: { pair: false },
  });
  await phones.open(network);
  const texts = Array.from({ length: 20 }, (_, index) => `No. ${index}`);
  for (const body of texts) await network.send({ text: { body } });
  await eventuallyHolds(() =>
    expect(network.receiver.statuses().filter(({ status }) => status === 'read')).toHaveLength(20),
  );
});

test('an unsent message returns to the field, before newly typed text', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await network.send({ text: { body: 'Is it there?' } });
  const field = page.getByLabel('Write a message');
  await field.waitFor();
  const heldRoutes: Route[] = [];
  await page.route('**/simulator/inbound', (route) => void heldRoutes.push(route));
  await page.route('**/media?**', (route) => route.abort());
  await field.fill('It came');
  await field.press('Enter');
  await field.fill('broken');
  await expect.poll(() => heldRoutes.length).toBe(1);
  await heldRoutes[0]!.abort();
  await expect.poll(() => field.inputValue()).toBe('It came\nbroken');
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/media'));
  await page.getByLabel('File to send').setInputFiles({
    name: 'cup.png',
    mimeType: 'image/png',
    buffer: Buffer.from('png'),
  });
  await failed;
  await expect.poll(() => field.inputValue()).toBe('It came\nbroken');
});

test('a message that arrives while the page loads is not lost to an older response', async () => {
  const network = await phones.startNetwork();
  const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holdChats = (page: Page) =>
    page.route('**/chats', async (route) => {
      const response = await route.fetch();
      requested.resolve();
      await released.promise;
      await route.fulfill({ response });
    });
  const { page } = await phones.open(network, { before: holdChats });
  await requested.promise;
  await network.send({ text: { body: 'Right now' } });
  await page.getByRole('article').getByText('Right now').waitFor();
  await page.getByText('Reported: read').waitFor();
  const received = page.waitForResponse('**/chats');
  released.resolve();
  await received;
  // The page handles responses in order.
  await page.evaluate(() => fetch('/simulator/phones').then((response) => response.json()));
  await network.send({ text: { body: 'Later' } });
  await page.getByRole('article').getByText('Later').waitFor();
  expect(await page.getByRole('article').locator('p[dir=auto]').allTextContents()).toEqual([
    'Right now',
    'Later',
  ]);
});

test('markup in a message, a name or a file name stays text', async () => {
  const network = await phones.startNetwork();
  const nasty = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const { phone_number_id } = network.number;
  await network.call('POST', '/simulator/numbers', { phone_number_id, verified_name: nasty });
  const { page } = await phones.open(network);
  await network.call('POST', '/simulator/phones', { phone, name: nasty });
  await network.send({ text: { body: nasty } });
  await network.send({
    type: 'document',
    text: undefined,
    document: { link: 'https://a.b/c', filename: nasty },
  });
  const cta = {
    type: 'cta_url',
    body: { text: nasty },
    action: { parameters: { display_text: 'Go', url: 'javascript:document.title=3' } },
  };
  await network.send({ type: 'interactive', text: undefined, interactive: cta });
  await page.getByText('Go', { exact: true }).waitFor();
  expect(await page.getByRole('article').locator('p[dir=auto]').first().textContent()).toBe(nasty);
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  expect(await page.locator('#root script, img[src="x"]').count()).toBe(0);
  expect(await page.title()).toMatch(/Parley simulator$/);
});

test('a template shows its parts, and its buttons copy the code and reply', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const text = (value: string) => [{ type: 'text', text: value }];
  const code = {
    name: 'login_code',
    language: { code: 'en_US' },
    components: [
      { type: 'body', parameters: text('482913') },
      { type: 'button', sub_type: 'url', index: '0', parameters: text('482913') },
    ],
  };
  await network.send({ type: 'template', text: undefined, template: code });
  await page.getByRole('button', { name: 'Copy code: 482913' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('482913');

  const parameters = (...names: string[]) =>
    names.map((name) => ({ type: 'text', parameter_name: name, text: `the ${name}` }));
  const reminder = {
    name: 'appointment_reminder',
    language: { code: 'en' },
    components: [
      { type: 'header', parameters: parameters('day') },
      { type: 'body', parameters: parameters('customer_name', 'day', 'time') },
    ],
  };
  const { body } = await network.send({ type: 'template', text: undefined, template: reminder });
  await page.getByText('See you on the day').waitFor();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await eventuallyHolds(() =>
    expect(network.receiver.inbound()).toMatchObject([
      {
        type: 'button',
        button: { payload: 'Confirm', text: 'Confirm' },
        context: { id: body.messages[0].id },
      },
    ]),
  );
});

test('photos, places, contacts and reactions are sent from the phone', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const { body } = await network.send();
  await page.getByText('Hello').first().waitFor();
  await page.getByText('Reported: read').waitFor();
  for (const item of ['Sample photo', 'Location', 'Contact']) {
    await page.getByRole('button', { name: /Send a photo/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  }
  await page.getByRole('article').first().hover();
  await page.getByRole('button', { name: 'React', exact: true }).first().click();
  await page.getByRole('button', { name: '👍' }).click();
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(4));
  const byType = Object.fromEntries(network.receiver.inbound().map((one) => [one.type, one]));
  expect(Object.keys(byType).sort()).toEqual(['contacts', 'image', 'location', 'reaction']);
  expect(byType.reaction?.reaction).toEqual({ message_id: body.messages[0].id, emoji: '👍' });
  await page.getByRole('article').first().getByText('You: 👍').waitFor({ state: 'attached' });
  await page.getByRole('img', { name: 'Photo' }).waitFor();
});

test('a phone that is switched off shows nothing new until it is on', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await network.send({ text: { body: 'First' } });
  await page.getByRole('article').filter({ hasText: 'First' }).waitFor();
  await page.getByRole('switch', { name: 'Phone is on' }).click();
  await page.getByText('This phone is off.').waitFor();
  await network.send({ text: { body: 'Second' } });
  await page.getByText('1 message is waiting').waitFor();
  expect(await page.getByRole('article').filter({ hasText: 'Second' }).count()).toBe(0);
  await page.getByRole('switch', { name: 'Phone is on' }).click();
  await page.getByRole('article').filter({ hasText: 'Second' }).waitFor();
});

test('a press is not lost if the pressed element is rendered again meanwhile', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await network.send({ text: { body: 'First' } });
  await page.getByText('Reported: read').waitFor();
  await page.getByRole('switch', { name: 'Phone is on' }).hover();
  await page.mouse.down();
  await network.send({ text: { body: 'Second' } });
  await page.getByText('Reported: read').nth(1).waitFor();
  await page.mouse.up();
  await page.getByText('This phone is off.').waitFor();
  await page
    .getByRole('link', { name: /^Ann Lee/ })
    .getByText('Second')
    .waitFor();
});

test('a phone is added, and the network is set to misbehave for it', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await page.getByRole('button', { name: 'Add a phone' }).click();
  await page.getByLabel('Whose phone is it?').fill('Bo');
  await page.getByLabel('Phone number').fill('not a number');
  await page.getByRole('button', { name: 'Add phone' }).click();
  await page.getByText('phone must be a phone number').waitFor();
  await page.getByLabel('Phone number').fill('+44 7700 900123');
  await page.getByRole('button', { name: 'Add phone' }).click();
  await page.getByRole('heading', { name: 'Bo' }).waitFor();

  await page.getByRole('button', { name: 'Behaviour of the network' }).click();
  await page.getByLabel('Messages to this phone').selectOption('131056');
  const held = 'held_for_quality_assessment';
  await page.getByLabel('Response of the network').selectOption(`held:${held}`);
  await page.getByLabel('Price in the callbacks').selectOption('regular');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Behaviour changed.').waitFor();
  const { behaviours } = (await network.call('GET', '/simulator/behaviour')).body;
  const wanted = { phone: '447700900123', messageStatus: held, pricingType: 'regular' };
  expect(behaviours).toContainEqual(expect.objectContaining(wanted));
  expect((await network.send({ to: '+447700900123' })).body.error.code).toBe(131056);
  expect((await network.send()).status).toBe(200);
});

test('a behaviour for the next message is shown until it is sent, and not set again', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await network.behave({ phone, failWith: 131000, count: 1 });
  await page
    .getByRole('button', { name: 'Behaviour of the network: changed for this phone' })
    .click();
  const failure = page.getByLabel('Messages to this phone');
  expect(await failure.inputValue()).toBe('131000');
  await page.getByLabel('Read immediately').click();

  expect((await network.send()).body.error.code).toBe(131000);
  await expect.poll(() => failure.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Behaviour changed.').waitFor();
  expect((await network.send()).status).toBe(200);
  await network.call('DELETE', '/simulator/behaviour');
  await page.getByRole('button', { name: 'Behaviour of the network', exact: true }).waitFor();
});

test('axe finds no problems, wide and narrow, light and dark', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await network.send({ to: '+15557654321' });
  await network.send();
  await network.send({
    type: 'document',
    text: undefined,
    document: { link: 'https://a.b/c.pdf' },
  });
  const { body } = await network.send({ text: { body: 'See https://a.b/c' } });
  const write = (message: object) =>
    network.call('POST', '/simulator/inbound', {
      phone_number_id: network.number.phone_number_id,
      from: phone,
      ...message,
    });
  const context = body.messages[0].id;
  await write({ text: 'Nice', context });
  await write({ type: 'reaction', reaction: { message_id: context, emoji: '👍' } });
  await write({ type: 'contacts', contacts: [{ name: { formatted_name: 'Bo' } }] });
  await write({ type: 'document', document: { link: 'https://a.b/d.pdf', caption: 'Mine' } });
  await page.getByRole('article').getByText('Mine').waitFor();
  await page.getByText('Reported: read').nth(2).waitFor();
  // As for pages of the dashboard (`pageLooks`): messages and parts are checked in all four by their examples.
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    const look = `${width} wide, ${colorScheme}`;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.getByRole('article').getByText('Mine').waitFor();
    expect(await axeProblems(page), look).toEqual([]);
    await page.getByRole('button', { name: 'Behaviour of the network' }).click();
    await page.getByLabel('Messages to this phone').waitFor();
    expect(await axeProblems(page), look).toEqual([]);
    await page.keyboard.press('Escape');
    if (width < 760) await page.getByRole('link', { name: 'Back to the phones' }).click();
    await page.getByRole('button', { name: 'Add a phone' }).click();
    await page.getByLabel('Phone number').waitFor();
    expect(await axeProblems(page), look).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Phone number').waitFor({ state: 'detached' });
    if (width < 760) await page.getByRole('link', { name: /^Ann Lee/ }).click();
  }
});

test('a malformed message does not hide others', async () => {
  const network = await phones.startNetwork();
  const { page, browserErrors } = await phones.open(network);
  const write = (message: object) =>
    network.call('POST', '/simulator/inbound', {
      phone_number_id: network.number.phone_number_id,
      from: phone,
      ...message,
    });
  await write({ text: 'Before it' });
  await write({ type: 'contacts', contacts: [null] });
  const form = { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Table for two' } };
  await write({ type: 'interactive', interactive: form });
  await write({ type: 'button', button: { text: 5 } });
  const log = page.getByRole('article');
  await eventuallyHolds(async () =>
    expect(await log.allTextContents()).toEqual([
      expect.stringContaining('Before it'),
      expect.stringContaining('Message of type contacts'),
      expect.stringContaining('Table for two'),
      expect.stringContaining('5'),
    ]),
  );
  expect(await page.getByRole('link', { name: /You: 5/ }).count()).toBe(1);
  expect(browserErrors).toEqual([]);
});
