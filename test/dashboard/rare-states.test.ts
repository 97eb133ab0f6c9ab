import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { setPaused } from '../../src/stores/queries.ts';
import { notifyTopic } from '../../src/tenants/watched-topics.ts';
import { look, makeNarrowAndDark } from '../browser/look.ts';
import { openWithin, testDashboard } from '../browser/open-dashboard.ts';
import { fillTenant } from '../features/fill-tenant.ts';
import { insertContacts } from '../features/insert-contacts.ts';
import type { TestTenant } from '../program/app.ts';
import { control, misbehave } from '../servers/control.ts';

const app = testDashboard();
let shop: TestTenant;
let storeId: number;

beforeAll(async () => {
  shop = await app.tenant();
  ({ storeId } = await fillTenant(app, shop));
}, 120_000);

test('after a send with an unknown outcome, the person is sent to the conversation; without a phone, to the list', async () => {
  const from = '+14155559002';
  const asked = await app.tenant();
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: asked.number.phone_number_id,
    from,
    text: 'Are you there?',
  });
  await misbehave(app, asked, { answer: 'drop', count: 1 });
  const page = await app.open(asked, { at: `/conversations?phone=${encodeURIComponent(from)}` });
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Yes');
  await field.press('Enter');
  const notice = page.getByRole('alert').filter({ hasText: 'may have been sent' });
  await notice.getByText('Look at the conversation before you send it again.').waitFor();
  // The conversation shows the message, so it is not offered a second time.
  await page
    .getByRole('log')
    .getByText(/^WhatsApp did not respond/)
    .waitFor();
  expect(await field.inputValue()).toBe('');

  // An address of a conversation without a phone shows the list.
  await openWithin(page, `/t/${asked.slug}/conversations?phone=abc`);
  await page.getByText('Choose a conversation').waitFor();
});

test('a change of many contacts and imports show their progress, their result, and why one stopped', async () => {
  await app.db.query(sql`
    insert into contact_bulk_changes (tenant_id, filter, change, up_to_id, contacts, looked_at,
                                      changed)
    values (${shop.id}, '{}', '{"delete": true}', 9999, 130, 58, 1)`);
  const page = await app.open(shop, { at: '/contacts' });
  await makeNarrowAndDark(page);
  await page.getByText('58 of 130 contacts checked, 1 deleted so far.').waitFor();
  await look(page, 'contacts-deleting');
  await app.db.query(sql`
    update contact_bulk_changes
    set state = 'failed', problem = 'The service was stopped.', ended_at = now()
    where tenant_id = ${shop.id}
    returning ${notifyTopic('bulk_changes', sql`contact_bulk_changes.tenant_id`)}`);
  await page.getByText('Stopped early: 1 contact deleted.').waitFor();
  await look(page, 'contacts-ended-early');

  const refusedRows = [
    {
      line: 4,
      faults: [
        { field: 'phone', code: 'impossible_phone', text: 'cannot exist', values: {} },
        { field: null, code: 'row_extended', text: 'goes on', values: { line: 6 } },
      ],
    },
  ];
  await app.db.query(sql`
    insert into contact_imports (tenant_id, filename, bytes, bytes_read, state, problem, created,
                                 updated, unchanged, refused, report, refused_rows, started_at)
    values
      (${shop.id}, 'no-phones.csv', 900, 100, 'failed', 'The first line has no column "phone".',
       0, 0, 0, 0, null, null, now() - interval '2 days'),
      (${shop.id}, ${`${'a-rather-long-file-name-'.repeat(4)}.csv`}, 90000, 90000, 'done', null,
       1200, 34, 5, 17, 'x', ${JSON.stringify(refusedRows)}, now() - interval '1 hour'),
      (${shop.id}, 'spring.csv', 90000, 38000, 'running', null, 400, 0, 0, 2, null, null, now())`);
  await page.reload();
  await page.getByText('400 created').waitFor();
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1,200 created, 34 updated, 5 unchanged, 17 refused.').waitFor();
  await dialog.getByText('400 created').waitFor();
  await look(page, 'imports');
  await dialog.getByText('Why rows were refused').click();
  const row = dialog.locator('dl div');
  await row.getByText('Line 4').waitFor();
  await row.getByText('There is no such phone number.').waitFor();
  await row.getByText('A quote extends the row to line 6').waitFor();
  // The import refused 17.
  await dialog.getByText('More of them are in the file.').waitFor();
  await look(page, 'imports-refused-rows');

  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await look(page, 'import-under-way');
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone',
    sql`
      values (${shop.id}, 'Ada', '+14155559999')`,
  );
  await app.db.query(sql`
    update contact_imports set state = 'done', refused = 1200, report = 'x'
    where tenant_id = ${shop.id} and filename = 'spring.csv'
    returning ${notifyTopic('imports', sql`contact_imports.tenant_id`)}`);
  await page.getByText('131 contacts').waitFor();
  const result = page.getByRole('status').filter({ hasText: 'spring.csv' });
  await result.getByText('400 created, 0 updated, 0 unchanged, 1,200 refused.').waitFor();
  await result.getByRole('link', { name: 'Download the refused rows' }).waitFor();
  await look(page, 'import-ended');
  await page.getByRole('button', { name: 'Close' }).click();
  await result.waitFor({ state: 'detached' });
});

test('an opened delivery, store post, token or contact shows its details', async () => {
  await app.db.query(sql`
    update deliveries set due_at = now() - interval '5 minutes'
    where tenant_id = ${shop.id} and state = 'waiting'`);
  const page = await app.open(shop, { at: '/webhook' });
  await makeNarrowAndDark(page);
  await page.getByText('next in a moment').first().waitFor();
  const delivery = page.getByRole('listitem').filter({ hasText: 'contact.updated' }).first();
  await delivery.getByText('contact.updated').click();
  await delivery.getByText('Attempt 3').waitFor();
  await look(page, 'delivery-opened');

  const reason = 'It posts each order a thousand times.';
  await setPaused(app.db, { tenant_id: shop.id, id: storeId }, { isPaused: true, reason });
  await openWithin(page, `/t/${shop.slug}/stores/${storeId}`);
  await page.getByText('The operator of Parley paused it').getByText(reason).waitFor();
  // The page of the webhook, which is shown until then, has a choice of this name too.
  await page.getByText('URL and instructions').waitFor();
  await page.getByLabel('State').selectOption({ label: 'Failed' });
  // The posts of every state are shown until the failed ones have loaded.
  const failed = page
    .getByRole('listitem')
    .filter({ hasText: /^Failed/ })
    .filter({ hasText: 'is no number of its country' });
  await failed.first().getByText('is no number').click();
  await failed.first().getByText('"billing"').waitFor();
  await page.getByText('URL and instructions').click();
  await look(page, 'store-event-opened');
  await openWithin(page, `/t/${shop.slug}`);
  await page.getByRole('link', { name: /No events yet$/ }).waitFor();
  await page.getByText('Paused by the operator of Parley').waitFor();

  await openWithin(page, `/t/${shop.slug}/api`);
  await page.getByRole('button', { name: 'Show expired and revoked tokens (2)' }).click();
  await page.getByRole('listitem').filter({ hasText: 'test' }).getByText('usage').click();
  await page.getByRole('table', { name: /^Requests per day of/ }).waitFor({ state: 'attached' });
  await look(page, 'token-usage');
  await openWithin(page, `/t/${shop.slug}/contacts?q=%2B14155550112`);
  await page.getByRole('button', { name: '王伟 Lovelace' }).click();
  await page.getByRole('dialog').getByLabel('City').waitFor();
  await look(page, 'contact-edit');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await openWithin(page, `/t/${shop.slug}/contacts?q=nobody-has-this-name`);
  await page.getByText('No contacts match').waitFor();
  await look(page, 'contacts-none-match');
});

test('in high contrast colours still differ, Arabic names are read from the right, and Arabic lines are cut at their end', async () => {
  const page = await app.open(shop, { at: '/bots' });
  await page.getByRole('switch').first().waitFor();
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const colorOf = (selector: string) =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('${selector}')).backgroundColor`,
    );
  const on = await colorOf('[role=switch][data-state=checked]');
  const off = await colorOf('[role=switch][data-state=unchecked]');
  expect(new Set([on, off, await colorOf('body')]).size).toBe(3);

  const name = 'مجموعة (5)!';
  await shop.call('POST', '/groups', { name });
  const text = page.getByText('شكرا جزيلا').first();
  await text.waitFor();
  expect(
    await text.evaluate((found: { matches(css: string): boolean }) =>
      found.matches('.truncate:dir(rtl)'),
    ),
  ).toBe(true);
  await openWithin(page, `/t/${shop.slug}/labels`);
  const label = page.getByText(name, { exact: true });
  await label.waitFor();
  expect(
    await label.evaluate((found: { matches(css: string): boolean }) => found.matches(':dir(rtl)')),
  ).toBe(true);
  // Next to it, a phone still starts with its +.
  await shop.call('POST', '/contacts', { firstname: 'Omar', phone: '+14155558001', company: name });
  await page.setViewportSize({ width: 390, height: 844 });
  await openWithin(page, `/t/${shop.slug}/contacts?q=Omar`);
  const phone = page.getByText('+14155558001').locator('visible=true');
  await phone.waitFor();
  expect(
    await phone.evaluate((found: { matches(css: string): boolean }) => found.matches(':dir(ltr)')),
  ).toBe(true);
});
