import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { look } from '../browser/look.ts';
import { testDashboard } from '../browser/open-dashboard.ts';
import { control } from '../servers/control.ts';

const app = testDashboard();

test('the dashboard can be used by keyboard alone, and the chosen theme is kept', async () => {
  const page = await app.open(await app.tenant());
  const focused = () => page.locator(':focus');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await page.keyboard.press('Tab');
  await expect.poll(() => focused().innerText()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused().getAttribute('id')).toBe('content');

  await page.getByRole('link', { name: 'Labels', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add status' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await expect
    .poll(() => focused().getAttribute('id'))
    .toBe(await page.getByLabel('Name').getAttribute('id'));
  await page.keyboard.type('Lead');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Lead' }).waitFor();
  await expect.poll(() => focused().innerText()).toBe('Add status');
  await page.getByRole('button', { name: 'Add source' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused().innerText()).toBe('Add source');
  // The pressed button disappears with what it deletes.
  await page.getByRole('button', { name: 'Delete Lead' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Lead' }).waitFor({ state: 'detached' });
  await expect.poll(() => focused().getAttribute('id')).toBe('content');

  await page.getByRole('button', { name: /^Your account/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
  await look(page, 'person-menu');
  await page.getByRole('menuitemradio', { name: 'Dark' }).focus();
  await page.keyboard.press('Enter');
  await page.reload();
  await page.locator('html[data-theme=dark]').waitFor();
});

test('a button of a form that is still opening stays under the pointer until it is released', async () => {
  const page = await app.open(await app.tenant());
  await page.getByRole('link', { name: 'Labels', exact: true }).click();
  const add = page.getByRole('button', { name: 'Add status' });
  await add.waitFor();
  // Pressed before it has moved, and released after the form is open.
  const browser = await page.context().newCDPSession(page);
  await browser.send('Animation.enable');
  await browser.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await add.click();
  const isOpening = () => page.evaluate('document.getAnimations().length > 0');
  await expect.poll(isOpening).toBe(true);
  const { x, y, width, height } = (await page
    .getByRole('button', { name: 'Cancel' })
    .boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await browser.send('Animation.setPlaybackRate', { playbackRate: 1 });
  await expect.poll(isOpening).toBe(false);
  await page.mouse.up();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('on a narrow screen the pages are in a drawer', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  const other = await app.tenant();
  await app.db.query(sql`
    insert into members (tenant_id, user_id, role)
    select ${other.id}, user_id, role from members where tenant_id = ${shop.id}`);
  await page.reload();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  await look(page, 'drawer');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('dialog').getByRole('link', { name: 'Webhook', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhook' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  // On a phone, Back closes what is in front.
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Webhook' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Numbers', exact: true }).click();
  await page.getByRole('button', { name: /^Disconnect/ }).click();
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  // Something that is on its way would also ask before the tab is closed.
  await page.evaluate(`onbeforeunload = (event) => event.preventDefault()`);
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  await page.evaluate(`onbeforeunload = null`);
  await page.getByRole('heading', { level: 1, name: 'Numbers' }).waitFor();

  await page.getByRole('button', { name: 'Menu' }).click();
  // Its right end, near the button that closes the drawer.
  const tenants = page.getByRole('button', { name: /^Switch business/ });
  const { width, height } = (await tenants.boundingBox())!;
  await tenants.click({ position: { x: width - 2, y: height / 2 } });
  await page.getByRole('menuitem', { name: other.slug }).click();
  await page.waitForURL(`**/t/${other.slug}`);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a page that is opened is announced, and has the focus if the pressed element is gone', async () => {
  const page = await app.open(await app.tenant(), { at: '/contacts' });
  const focused = page.locator(':focus');
  const said = (words: string) =>
    page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${words}$`) })
      .waitFor();
  await page.getByRole('button', { name: 'New contact' }).first().focus();
  await page.keyboard.type('gl');
  await said('Labels');
  await expect.poll(() => focused.getAttribute('id')).toBe('content');

  await page.getByRole('link', { name: 'Bots', exact: true }).focus();
  await page.keyboard.press('Enter');
  await said('Bots');
  expect(await focused.innerText()).toBe('Bots');
});

test('the palette finds pages, actions, contacts and conversations, and runs what is chosen', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/contacts', { firstname: 'Zoë', phone: '+14155550123' });
  const from = '+14155550123';
  const inbound = { phone_number_id: shop.number.phone_number_id, from, text: 'Hi' };
  await control(app, 'POST', '/simulator/inbound', inbound);
  const page = await app.open(shop);
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  const field = palette.getByRole('combobox');

  await page.keyboard.press('Control+k');
  await palette.getByRole('option', { name: 'Plan and usage' }).waitFor();
  await look(page, 'palette');
  await field.fill('usage');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Plan and usage' }).waitFor();
  await palette.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Search or jump to' }).click();
  await field.fill('new contact');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog');
  await form.getByLabel('First name').waitFor();
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });

  const find = async (text: string) => {
    await page.keyboard.press('Control+k');
    await field.fill(text);
    const headings = palette.locator('[cmdk-group-heading]:visible');
    await expect.poll(() => headings.allInnerTexts()).toEqual(['Conversations', 'Contacts']);
  };
  await find('5550123');
  await palette.getByRole('group', { name: 'Contacts' }).getByRole('option').click();
  await page.getByRole('dialog', { name: 'Zoë' }).getByLabel('Company').fill('Tea');
  await page.keyboard.press('Escape');
  // It asks once, although closing the contact also changes the address.
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL(/contacts$/);

  // Enter never opens what was found for the letters before, and the palette says why it shows nothing.
  await find('zo');
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/search=zoran/, async (route) => {
    await answered;
    await route.fulfill({ status: 429, json: { message: 'Too many searches.' } });
  });
  await field.fill('zoran');
  await palette.getByText('Loading', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await palette.getByText('Loading', { exact: true }).waitFor();
  answer();
  await palette.getByText('Too many searches.').waitFor();
  await page.keyboard.press('Escape');

  // A person is answered in one step.
  await find('zoë');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Hi').waitFor();
});

test('the palette opens from a field or a checkbox, and gives the focus back', async () => {
  const shop = await app.tenant();
  const from = '+14155550125';
  await shop.call('POST', '/contacts', { firstname: 'Zoë', phone: from });
  const inbound = { phone_number_id: shop.number.phone_number_id, from, text: 'Hi' };
  await control(app, 'POST', '/simulator/inbound', inbound);
  const page = await app.open(shop, { at: `/conversations?phone=${encodeURIComponent(from)}` });
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  const field = page.getByLabel('Message', { exact: true });
  // A browser requests code only once, even if it did not arrive, so the page has to be loaded again.
  let isLost = true;
  const { promise: typed, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/palette-[^/]*\.js$/, async (route) => {
    if (isLost) return route.abort();
    await typed;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  isLost = false;
  const reloaded = page.waitForEvent('load');
  await again.click();
  await reloaded;

  await field.fill('One ');
  // While the palette's code loads, letters go into its search and not into the message, until the person clicks
  // somewhere.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('abc');
  await page.getByText('abc', { exact: true }).waitFor();
  await look(page, 'palette-loading');
  await field.click();
  await page.keyboard.type('more ');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Zoe');
  await page.keyboard.press('Backspace');
  // As by AltGr on Windows.
  const at = `new KeyboardEvent('keydown', { key: '@', ctrlKey: true, altKey: true, bubbles: true })`;
  await page.evaluate(`document.activeElement.dispatchEvent(${at})`);
  release();
  await palette.waitFor();
  expect(await palette.getByRole('combobox').inputValue()).toBe('Zo@');
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  await expect.poll(() => field.locator(':scope:focus').count()).toBe(1);
  await page.keyboard.type('moment');
  expect(await field.inputValue()).toBe('One more moment');

  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select Zoë' }).check();
  await page.keyboard.press('Control+k');
  await palette.waitFor();
});

test('the palette offers to staff only what staff may do', async () => {
  const shop = await app.tenant();
  for (const [role, count] of [
    ['owner', 1],
    ['staff', 0],
  ] as const) {
    const page = await app.open(shop, { role });
    await page.keyboard.press('Control+k');
    const option = (name: string) => page.getByRole('option', { name });
    await option('New contact').waitFor();
    expect(await option('Export contacts').count(), role).toBe(count);
    expect(await option('Invite a member').count(), role).toBe(count);
  }
});

test('keys open pages, and mean letters only in a field; they can be switched off', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  const page = await app.open(shop);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  await page.keyboard.type('gl');
  await heading('Labels');
  await page.keyboard.type('gu');
  await heading('Plan and usage');
  // Letters typed while a picker has the focus are not shortcuts.
  await page.getByLabel('Language', { exact: true }).focus();
  await page.keyboard.type('gl');
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Labels', exact: true }).click();
  await heading('Labels');
  await page.keyboard.type('gp');
  await heading('Contacts');
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox');
  await page.keyboard.type('gl?');
  expect(await field.inputValue()).toBe('gl?');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await heading('Overview');
  await page.keyboard.type('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.waitFor();
  await look(page, 'shortcuts');
  await sheet.getByRole('switch').click();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.keyboard.type('gl');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor();
  expect(new URL(page.url()).pathname).not.toContain('labels');
});

test('j and k walk through the conversations, r writes a reply, / searches, Escape goes back', async () => {
  const shop = await app.tenant();
  for (const [name, from] of [
    ['Ada', '+14155550131'],
    ['Grace', '+14155550132'],
  ] as const) {
    const inbound = {
      phone_number_id: shop.number.phone_number_id,
      from,
      name,
      text: `I am ${name}`,
    };
    await control(app, 'POST', '/simulator/inbound', inbound);
  }
  const page = await app.open(shop);
  const log = page.getByRole('log');
  await page.keyboard.type('gc');
  const list = page.getByRole('region', { name: 'Conversations, newest first' });
  await list.getByRole('listitem').nth(1).waitFor();
  await page.keyboard.press('j');
  await log.getByText('I am Grace').waitFor();
  await page.keyboard.press('j');
  await log.getByText('I am Ada').waitFor();
  await page.keyboard.press('k');
  await log.getByText('I am Grace').waitFor();
  await page.keyboard.press('r');
  const focused = page.locator(':focus');
  await expect.poll(() => focused.getAttribute('aria-label')).toBe('Message');
  await page.keyboard.type('jk');
  expect(await focused.inputValue()).toBe('jk');
  await log.click();
  await page.keyboard.press('/');
  await expect.poll(() => focused.getAttribute('type')).toBe('search');
  await log.click();
  await page.keyboard.press('Escape');
  await page.getByText('Choose a conversation').waitFor();

  // Arrow keys move the focus only: what is opened counts as read.
  const entries = list.getByRole('listitem').getByRole('link');
  await entries.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused.innerText()).toContain('Ada');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  // The unsent text to Grace is a draft.
  await expect.poll(() => focused.innerText()).toContain('jk');
  await page.getByText('Choose a conversation').waitFor();
  // A key that is held down, from the list itself.
  await list.locator('div[tabindex="0"]').focus();
  await page.keyboard.down('ArrowDown');
  await page.keyboard.down('ArrowDown');
  await page.keyboard.up('ArrowDown');
  await page.keyboard.press('Enter');
  await log.getByText('I am Ada').waitFor();

  await page.keyboard.type('go');
  await page.getByRole('link', { name: 'Delivery rate', exact: true }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#per-day');
  await page.getByRole('link', { name: 'Received', exact: true }).click();
  await list.getByRole('listitem').nth(1).waitFor();
});

test('after a message was sent by its button, the next keys write the next message', async () => {
  const shop = await app.tenant();
  for (const from of ['+14155550151', '+14155550152']) {
    const inbound = { phone_number_id: shop.number.phone_number_id, from, text: 'Hi' };
    await control(app, 'POST', '/simulator/inbound', inbound);
  }
  const page = await app.open(shop, {
    at: `/conversations?phone=${encodeURIComponent('+14155550151')}`,
  });
  const field = page.getByLabel('Message', { exact: true });
  await field.fill('One moment');
  await page.getByRole('button', { name: 'Send', exact: true }).focus();
  const address = page.url();
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('One moment').waitFor();
  await page.keyboard.type('just');
  expect(await field.inputValue()).toBe('just');
  expect(page.url()).toBe(address);
});

test('a pressed button keeps the focus while it is busy, and gives it away when it disappears', async () => {
  const shop = await app.tenant();
  const from = '+14155550161';
  for (let count = 0; count < 51; count++) {
    const inbound = { phone_number_id: shop.number.phone_number_id, from, text: `Hi ${count}` };
    await control(app, 'POST', '/simulator/inbound', inbound);
  }
  // One that arrives later would open the conversation again.
  const arrived = sql`select id from messages where tenant_id = ${shop.id}`;
  await expect.poll(async () => (await app.db.query(arrived)).rows.length).toBe(51);
  const page = await app.open(shop, { at: `/conversations?phone=${encodeURIComponent(from)}` });
  const focused = page.locator(':focus');
  const release = Promise.withResolvers<void>();
  await page.route('**/conversation', async (route) => {
    if (route.request().method() === 'PUT') await release.promise;
    await route.continue();
  });
  const close = page.getByRole('button', { name: 'Close', exact: true });
  await close.focus();
  await page.keyboard.press('Enter');
  await page.locator('[aria-busy=true]').waitFor();
  expect(await focused.innerText()).toBe('Close');
  release.resolve();
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  expect(await focused.innerText()).toBe('Reopen');

  const older = page.getByRole('button', { name: 'Show older messages' });
  await older.focus();
  await page.keyboard.press('Enter');
  await older.waitFor({ state: 'detached' });
  expect(await focused.getAttribute('role')).toBe('log');
});

test('on a narrow screen, the focus goes to the conversation that is opened, and back to its entry', async () => {
  const shop = await app.tenant();
  for (const [from, profile_name] of [
    ['+14155550144', 'Grace'],
    ['+14155550123', 'Ada'],
  ]) {
    await control(app, 'POST', '/simulator/inbound', {
      phone_number_id: shop.number.phone_number_id,
      from,
      profile_name,
      text: `I am ${profile_name}`,
    });
  }
  const page = await app.open(shop, { at: '/conversations' });
  await page.setViewportSize({ width: 390, height: 844 });
  const focused = page.locator(':focus');
  await page.getByRole('link', { name: /^Grace/ }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused.innerText()).toBe('Grace');
  expect(await focused.evaluate(({ tagName }: { tagName: string }) => tagName)).toBe('H2');
  expect(await page.title()).toContain('Grace · Parley');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused.getAttribute('data-phone')).toBe('+14155550144');
  expect(await page.title()).toContain('Conversations · Parley');
});
