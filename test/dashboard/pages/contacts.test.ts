import { readFile } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changeAllContacts } from '../../../src/contacts/many/change-all-contacts.ts';
import { addUnknownContacts } from '../../../src/contacts/writing/add-unknown-contacts.ts';
import { linkIdentities } from '../../../src/messages/identities/link-identities.ts';
import { look } from '../../browser/look.ts';
import { openWithin, pick, testDashboard } from '../../browser/open-dashboard.ts';
import { insertContacts } from '../../features/insert-contacts.ts';

const app = testDashboard();

test('labels are created, and contacts are created, found, filtered, changed in bulk and deleted', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/labels' });
  for (const [one, name] of [
    ['status', 'Lead'],
    ['source', 'Web shop'],
    ['group', 'Newsletter'],
  ] as const) {
    await page.getByRole('button', { name: `Add ${one}` }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name }).waitFor();
  }
  await page.getByRole('button', { name: 'Add status' }).click();
  await page.getByLabel('Name').fill('LEAD');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This name is already taken.').waitFor();
  await look(page, 'label-form');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // A status that an API client created has no colour, and can be given any.
  await shop.call('POST', '/statuses', { name: 'Customer' });
  await page.reload();
  await page.getByRole('button', { name: 'Edit Customer' }).click();
  const [color] = await page.getByRole('dialog').getByRole('button', { name: /#/ }).all();
  expect(await color!.getAttribute('aria-pressed')).toBe('false');
  await color!.click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body: statuses } = await shop.call('GET', '/statuses');
  expect(statuses.data.find((each: { name: string }) => each.name === 'Customer').color).toBe(
    '#22c55e',
  );

  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByText('No contacts yet').waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(0);
  await page.getByRole('button', { name: 'New contact' }).click();
  await page.getByLabel('First name').fill('Amélie');
  await page.getByLabel('Phone', { exact: true }).fill('0170 1234567');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a phone number with its country code').waitFor();
  await look(page, 'contact-form');
  await page.getByLabel('Phone', { exact: true }).fill('+4917012345678');
  const form = page.getByRole('dialog');
  await pick(form.getByLabel('Status'), 'Lead');
  await form.getByLabel('Newsletter').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Contact created.').waitFor();

  await insertContacts(
    app.db,
    'tenant_id, firstname, lastname, phone, created_at',
    sql`
      select ${shop.id}, 'Person ' || n, case n % 2 when 1 then 'Even' else 'Odd' end,
             '+1415555' || (2000 + n), now() + n * interval '1 ms'
      from generate_series(0, 59) as n`,
  );
  await page.reload();
  await page.getByText('61 contacts').waitFor();
  const column = page.getByRole('columnheader', { name: 'Name' });
  const fourth = page.getByRole('row').nth(4);
  await fourth.getByRole('button', { name: 'Person 56 ' }).waitFor();
  await column.getByRole('button').click();
  await fourth.getByRole('button', { name: 'Person 10 ' }).waitFor();
  expect(await column.getAttribute('aria-sort')).toBe('ascending');
  const list = `/t/${shop.slug}/contacts`;
  await openWithin(page, `${list}?sort=created_at&status=0`);
  await page.getByText('60 contacts').waitFor();
  await page.getByRole('row').nth(1).getByRole('button', { name: 'Person 0 ' }).waitFor();
  await openWithin(page, list);
  await page.getByText('61 contacts').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 2 of 2').waitFor();
  await page.getByRole('button', { name: 'Person 0 ' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select Person 0 Odd' }).check();
  await page.getByRole('region', { name: '1 selected' }).waitFor();
  await page.goBack();
  await page.getByText('Page 1 of 2').waitFor();
  await page.getByRole('region', { name: '1 selected' }).waitFor({ state: 'detached' });
  await page.goForward();

  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('amÉL');
  await page.getByText('1 contact', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Amélie' }).click();
  await page.getByLabel('City').fill('Lyon');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Contact saved.').waitFor();
  const { body } = await shop.call('GET', '/contacts?search=Am%C3%A9lie');
  expect(body.data[0]).toMatchObject({ city: 'Lyon', group_ids: [expect.any(Number)] });

  await page.getByRole('searchbox').fill('Person 1');
  await page.getByText('11 contacts', { exact: true }).waitFor();
  const announced = page.getByRole('status');
  await announced.getByText('11 results').waitFor();
  await page.getByRole('rowheader', { name: 'Person 10 ' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await announced.getByText('11 selected').waitFor();
  await look(page, 'contacts-selected');
  await page.getByRole('button', { name: 'Add to group' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'Newsletter' }).waitFor();
  await look(page, 'contacts-group-menu');
  await page.keyboard.press('Escape');
  // Only looking at the list changes nothing.
  expect((await shop.call('GET', '/contacts?search=Person%2010')).body.data[0].group_ids).toEqual(
    [],
  );
  await page.getByRole('button', { name: 'Add to group' }).press('Enter');
  await page.getByRole('option', { name: 'Newsletter' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('11 contacts changed.').waitFor();
  await page.getByRole('searchbox').fill('');
  await page.getByText('61 contacts').waitFor();
  await pick(page.getByLabel('Group', { exact: true }), 'Newsletter');
  await page.getByText('12 contacts').waitFor();
  expect(new URL(page.url()).search).toMatch(/group=\d+/);

  await page.getByRole('checkbox', { name: 'Select Amélie' }).check();
  await page
    .getByRole('region', { name: '1 selected' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await page.getByText('This cannot be undone.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('11 contacts', { exact: true }).waitFor();
  expect((await shop.call('GET', '/contacts?search=Am%C3%A9lie')).body.data).toEqual([]);
});

test('a phone is accepted and found as people write and paste it', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  const form = page.getByRole('dialog');
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  for (const [index, phone] of [
    '+1 (415) 555-2001',
    '\u202a+1 415\u2011555\u20112002\u202c',
    '001 415 555 2003',
  ].entries()) {
    await page.getByRole('button', { name: 'New contact' }).click();
    await form.getByLabel('First name').fill(`Ada ${index}`);
    await form.getByLabel('Phone').fill(phone);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .nth(1)
      .getByRole('button', { name: `Ada ${index}` })
      .waitFor();
  }
  expect((await shop.call('GET', '/contacts')).body.data).toMatchObject([
    { phone: '+14155552001' },
    { phone: '+14155552002' },
    { phone: '+14155552003' },
  ]);
  for (const written of [
    '+1 (415) 555-2002',
    '415 555-2002',
    '0415 555 20 02',
    '001 415 555 2002',
  ]) {
    await page.getByRole('searchbox').fill('555200');
    await page.getByText('3 contacts', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill(written);
    await page.getByText('1 contact', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ada 1' }).waitFor();
  }

  await page.getByRole('link', { name: 'Conversations', exact: true }).click();
  await page.getByRole('button', { name: 'New message' }).first().click();
  await form.getByLabel('Phone').fill('\u202a+1 415\u2011555\u20112002\u202c');
  await form.getByRole('button', { name: 'Open' }).click();
  await page.getByText('No messages yet.').waitFor();
  expect(new URL(page.url()).searchParams.get('phone')).toBe('+14155552002');
});

test('a filter that is changed while a search is typed applies to it', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/statuses', { name: 'Lead' });
  await shop.call('POST', '/contacts', { firstname: 'Grace', phone: '+14155550101' });
  const page = await app.open(shop, { at: '/contacts' });
  const status = page.getByRole('combobox', { name: 'Status' });
  await page.getByRole('searchbox').pressSequentially('ada');
  await pick(status, 'No status');
  await page.waitForURL(/q=ada/);
  expect(new URL(page.url()).searchParams.get('status')).toBe('0');

  // The search and filter controls keep their position while all contacts are loaded.
  await page.goto(`${app.origin}/t/${shop.slug}/contacts?q=nobody`);
  await page.getByText('No contacts match').waitFor();
  const looked = Promise.withResolvers<void>();
  await page.route('**/contacts?*', async (route) => {
    await looked.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.locator('.skeleton').first().waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(1);
  looked.resolve();
  await page.getByText('Grace').waitFor();
});

test('beyond the last page, the last page is shown, also after its only contact is deleted', async () => {
  const shop = await app.tenant();
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone',
    sql`
      select ${shop.id}, 'Person ' || n, '+1415' || (5550000 + n) from generate_series(1, 51) as n`,
  );
  const page = await app.open(shop, { at: '/contacts?page=999999' });
  await page.getByText('Page 2 of 2').waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Person', exact: false }).nth(49).waitFor();
  await page.getByText('50 contacts').waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('all matches on every page are changed and deleted, with progress', async () => {
  const shop = await app.tenant();
  const status = (await shop.call('POST', '/statuses', { name: 'Customer' })).body.data.id;
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone',
    sql`
      select ${shop.id}, case when n % 4 = 0 then 'Grace' else 'Ada' end, '+1415' || (5550000 + n)
      from generate_series(1, 800) as n`,
  );
  const page = await app.open(shop, { at: '/contacts?q=grace' });
  await page.getByText('200 contacts').waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Select all 200 that match' }).click();
  await page.getByRole('region', { name: 'All 200 are selected' }).waitFor();
  await look(page, 'contacts-all-selected');
  // Deselecting one and selecting it again means the contacts on the page.
  const one = page.getByRole('checkbox', { name: 'Select Grace' }).first();
  await one.uncheck();
  await page.getByRole('region', { name: '49 selected' }).waitFor();
  await one.check();
  await page.getByRole('region', { name: '50 selected' }).waitFor();
  await page.getByRole('button', { name: 'Select all 200 that match' }).click();
  await page.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('option', { name: 'Customer' }).click();
  await page.getByRole('alertdialog').getByText('Change 200 contacts?').waitFor();
  await look(page, 'contacts-change-all');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Change' }).click();
  await page.getByText('Changing contacts').waitFor();
  await look(page, 'contacts-changing');
  await changeAllContacts(app.services);
  await page.getByText('Done: 200 contacts changed.').waitFor();
  const found = await shop.call('GET', '/contacts?search=grace');
  expect(found.body.data[0].status_id).toBe(status);

  await pick(page.getByLabel('Status', { exact: true }), 'Customer');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Select all 200 that match' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('This cannot be undone.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleting contacts').waitFor();
  await changeAllContacts(app.services);
  await page.getByText('Done: 200 contacts deleted.').waitFor();
  await page.getByText('No contacts match').waitFor();
  expect((await shop.call('GET', '/contacts')).body.pagination.total).toBe(600);
});

test('a label that was deleted meanwhile is refused with a plain message, with and without a form', async () => {
  const shop = await app.tenant();
  const make = async (kind: string, name: string) =>
    (await shop.call('POST', `/${kind}`, { name })).body.data.id as number;
  const [status, group] = [await make('statuses', 'Customer'), await make('groups', 'Letters')];
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  const page = await app.open(shop, { at: '/contacts' });
  await page.getByRole('button', { name: 'Ada', exact: true }).click();
  await page.getByLabel('Letters').check();
  await shop.call('DELETE', `/groups/${group}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByText('Some of these groups do not exist any more.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();

  await page.getByRole('checkbox', { name: 'Select Ada' }).check();
  await shop.call('DELETE', `/statuses/${status}`);
  await page.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('option', { name: 'Customer' }).click();
  await page.getByText('Status: This status does not exist any more.').waitFor();
});

test('saving a contact changes the edited fields, once, and nothing that others changed', async () => {
  const shop = await app.tenant();
  const made = await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  const path = `/contacts/${made.body.data.id}`;
  const page = await app.open(shop, { at: '/contacts' });
  const row = page.getByRole('button', { name: 'Ada', exact: true });
  await row.waitFor();
  await shop.call('PUT', path, { city: 'London' });
  await row.click();
  const form = page.getByRole('dialog');
  await expect.poll(() => form.getByLabel('City').inputValue()).toBe('London');
  expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await form.getByLabel('Last name').fill('Lovelace');
  await shop.call('PUT', path, { city: 'Paris', email: 'ada@example.com' });
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Contact saved.').waitFor();
  const { body } = await shop.call('GET', path);
  expect(body.data).toMatchObject({
    lastname: 'Lovelace',
    city: 'Paris',
    email: 'ada@example.com',
  });

  // Lists are saved as a whole, but only what the form changed in them is changed.
  const newGroup = async (name: string) =>
    (await shop.call('POST', '/groups', { name })).body.data.id as number;
  const [customers, press, news] = [
    await newGroup('Customers'),
    await newGroup('Press'),
    await newGroup('News'),
  ];
  await shop.call('PUT', path, { group_ids: [press], metadata: { plan: 'free', size: 'S' } });
  await page.reload();
  await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).click();
  await expect.poll(() => form.getByLabel('Press').isChecked()).toBe(true);
  await form.getByLabel('Press').uncheck();
  await form.getByLabel('News').check();
  await form.getByLabel('Value 1', { exact: true }).fill('paid');
  await form.getByRole('button', { name: 'Remove value 2' }).click();
  await shop.call('PUT', path, {
    group_ids: [customers, press],
    metadata: { plan: 'free', size: 'S', since: '2026' },
  });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await shop.call('GET', path)).body.data).toMatchObject({
    group_ids: [customers, news],
    metadata: { plan: 'paid', since: '2026' },
  });

  // A form is saved only once, and stays open until the result is known.
  const { body: other } = await shop.call('POST', '/contacts', {
    firstname: 'Grace',
    phone: '+14155550124',
  });
  await page.reload();
  const held: (() => Promise<void>)[] = [];
  await page.route(/\/contacts\/\d+$/, (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    held.push(() => route.continue());
  });
  await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).click();
  await form.getByLabel('City').fill('Turin');
  await form.getByRole('button', { name: 'Save' }).dblclick();
  await expect.poll(() => form.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => held.length).toBe(1);
  await held[0]!();
  await page.getByText('Contact saved.').waitFor();
  expect(held).toHaveLength(1);
  await page.getByRole('button', { name: 'Grace', exact: true }).click();
  await form.getByLabel('City').fill('New York');
  // The width of a screen at a zoom of 200 %.
  await page.setViewportSize({ width: 640, height: 430 });
  expect((await form.boundingBox())!.x).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1280, height: 860 });

  await shop.call('DELETE', `/contacts/${other.data.id}`);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => held.length).toBe(2);
  await held[1]!();
  await page.getByText('This no longer exists.').waitFor();
  await page.getByText('1 contact', { exact: true }).waitFor();
});

test('contacts are imported from a file with a report, and exported', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/contacts' });
  await page.getByRole('button', { name: 'Import' }).click();
  const csv = [
    'firstname,lastname,phone,city,tags,Shoe size',
    'Ada,Lovelace,+14155550101,London,,38',
    'Grace,Hopper,14155550102,,,',
    'Grace,Hopper,14155550102,,,',
    'Nobody,,12,,vip,',
  ].join('\n');
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByLabel('Only check the file').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Check' }).click();
  await page
    .getByText('Nothing was imported. 1 row can be imported, 3 would be refused.')
    .waitFor();
  await page.getByText('Columns: “firstname” is firstname,').waitFor();
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByLabel('Phones have no +').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await page.getByText('2 created, 0 updated, 1 unchanged, 1 refused.').waitFor();
  await page.getByText('1 row has the phone of an earlier row').waitFor();
  await page.getByText('Ignored columns: Shoe size.').first().waitFor();
  await page.getByText('Missing labels: group “vip” (1 row).').first().waitFor();
  await look(page, 'import');
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the refused rows' }).first().click(),
  ]);
  expect(report.suggestedFilename()).toBe('people.refused.csv');
  expect(await readFile(await report.path(), 'utf8')).toContain('Nobody');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('2 contacts').waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  const exported = await readFile(await download.path(), 'utf8');
  expect(exported).toContain('+14155550101');
  expect(exported).toContain('Hopper');

  await openWithin(page, `/t/${shop.slug}/contacts?q=Hopper`);
  await page.getByText('1 contact', { exact: true }).waitFor();
  const [filtered] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  const found = await readFile(await filtered.path(), 'utf8');
  expect(found).toContain('Hopper');
  expect(found).not.toContain('Lovelace');

  // The page stays if the service refuses, also if the command exports.
  const failed = async () => (await page.waitForEvent('download')).failure();
  await page.route('**/contacts/export*', (route) =>
    route.fulfill({ status: 429, json: { success: false, message: 'Too many.', errors: {} } }),
  );
  await Promise.all([failed(), page.getByRole('link', { name: 'Export' }).click()]);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Export contacts');
  await Promise.all([failed(), page.keyboard.press('Enter')]);
  await page.getByText('1 contact', { exact: true }).waitFor();
});

test('contacts that became one are listed and separated again', async () => {
  const shop = await app.tenant();
  const userId = 'US.771234';
  await shop.call('POST', '/contacts', { firstname: 'Ana', phone: '+14155550123' });
  await addUnknownContacts(app.db, [
    { tenantId: shop.id, phone: null, userId, firstname: 'Ana M.' },
  ]);
  const page = await app.open(shop, { at: '/contacts' });
  await page.getByText('2 contacts').waitFor();
  expect(await page.getByRole('button', { name: 'Merged' }).count()).toBe(0);
  const link = { tenantId: shop.id, earlier: `user:${userId}`, later: '+14155550123' };
  await linkIdentities(app.db, [{ ...link, username: null }]);
  await page.reload();
  await page.getByText('1 contact').waitFor();
  await page.getByRole('button', { name: 'Merged' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Ana M.').waitFor();
  await dialog.getByText(userId).waitFor();
  await look(page, 'contacts-merged');
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The contacts are separate again.').waitFor();
  await dialog.getByText('There are no merges to undo.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await page.getByText('2 contacts').waitFor();
});
