import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { look, makeNarrowAndDark } from '../../browser/look.ts';
import { testDashboard } from '../../browser/open-dashboard.ts';
import { eventually } from '../../checks/eventually.ts';
import { answersOf, write } from '../../features/bots.ts';
import { control } from '../../servers/control.ts';

const app = testDashboard();

test('keywords in several scripts are listed in order, each in its own direction', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`
    insert into bots (tenant_id, kind, name, active, match, keywords, reply)
    values (${shop.id}, 'message', 'Hello', true, 'contains', '{שלום,مرحبا (1)!,hello}', 'Hi')`);
  const page = await app.open(shop, { at: '/bots' });
  const places = await Promise.all(
    ['שלום', 'مرحبا (1)!', 'hello'].map((keyword) =>
      page.getByText(keyword, { exact: true }).boundingBox(),
    ),
  );
  const lefts = places.map((place) => place!.x);
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
});

test('a bot is created, tried with a text, changed, switched off and deleted', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { role: 'staff', at: '/bots' });
  await makeNarrowAndDark(page);
  await page.getByText('No bots yet').waitFor();
  await page.getByRole('button', { name: 'New bot' }).first().click();
  await page.getByLabel('Name').fill('Opening hours');
  await page.getByLabel('Keywords').fill('hours\nwhen are you open');
  await page.getByLabel('After a reply').selectOption({ label: 'pause for an hour' });
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello {{nickname}}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/nickname/)
    .last()
    .waitFor();
  await look(page, 'bot-form');
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello {{firstname|friend}}, 9 to 5.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Bot is live.').waitFor();
  const { body } = await shop.call('GET', '/message-bots');
  expect(body.data).toEqual([
    expect.objectContaining({
      name: 'Opening hours',
      match: 'contains',
      keywords: ['hours', 'when are you open'],
      pause_minutes: 60,
      reply: 'Hello {{firstname|friend}}, 9 to 5.',
    }),
  ]);

  await page.getByLabel('Message from a customer').fill('What are your HOURS?');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('“Opening hours” replies:').waitFor();
  await page
    .getByText(/9 to 5\.$/)
    .last()
    .waitFor();

  const isOn = page.getByRole('switch', { name: 'Opening hours is on' });
  await isOn.press('Space');
  await page.getByText('Bot saved.').waitFor();
  await expect.poll(() => isOn.isChecked()).toBe(false);
  expect(await isOn.locator(':scope:focus').count()).toBe(1);
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('No bot replies to this.').waitFor();

  // Another person changes one field while this one changes another.
  await page.getByRole('button', { name: 'Edit Opening hours' }).click();
  const [{ id }] = body.data;
  await app.db.query(sql`update bots set reply = 'Closed.', active = true where id = ${id}`);
  await page.getByLabel('Name').fill('Hours');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const changed = await shop.call('GET', '/message-bots');
  expect(changed.body.data).toEqual([
    { ...body.data[0], name: 'Hours', reply: 'Closed.', active: true },
  ]);

  await write(app, shop, '14155550123', 'hours');
  await eventually(async () => (await answersOf(app, shop)).length > 0);
  await page.getByRole('button', { name: 'Delete Hours' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No bots yet').waitFor();
  // Its replies stay in the log.
  await page.reload();
  await page.getByText('No bots yet').waitFor();
  await page.getByText('Recent replies').waitFor();

  await page.getByRole('button', { name: 'New bot' }).first().click();
  await page.getByLabel('Reply with').selectOption({ label: 'A template' });
  await page.getByText('You have no approved template yet').waitFor();
});

test('the reply to a person whose phone is hidden names them and their user id', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`
    insert into bots (tenant_id, kind, name, active, match, keywords, reply)
    values (${shop.id}, 'message', 'Hello', true, 'any', '{}', 'Hi')`);
  const phone = '14155550166';
  const { phone_number_id } = shop.number;
  await control(app, 'POST', '/simulator/phones', { phone, name: 'Ana' });
  await control(app, 'PATCH', `/simulator/phones/${phone}`, { username: 'ana.177', hidden: true });
  await control(app, 'POST', '/simulator/inbound', { phone_number_id, from: phone, text: 'Hey' });
  await eventually(async () => (await answersOf(app, shop)).length > 0);
  const page = await app.open(shop, { at: '/bots' });
  const entry = page.getByRole('listitem').filter({ hasText: 'Hey' });
  expect(await entry.getByRole('link').innerText()).toMatch(/^Ana [A-Z]{2}\./);
});
