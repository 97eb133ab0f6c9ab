import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { look, makeNarrowAndDark } from '../../browser/look.ts';
import { loseFirst } from '../../browser/lose-first.ts';
import { openWithin, testDashboard } from '../../browser/open-dashboard.ts';
import { call } from '../../program/app.ts';

const app = testDashboard();

test('API access is switched on, and a token is generated, shown once, and valid once it is saved', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  await makeNarrowAndDark(page);
  await look(page, 'overview-new');
  await openWithin(page, `/t/${shop.slug}/api`);
  await page.getByRole('switch', { name: 'API access' }).click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved.').waitFor();

  await page.getByRole('button', { name: 'Generate token' }).click();
  await page.getByLabel('Name').fill('Shop server');
  await page.getByLabel('Expires').selectOption({ label: 'In 90 days' });
  await page.getByRole('group', { name: 'Message Sending' }).getByLabel('Text').check();
  await page.getByRole('group', { name: 'Contacts' }).getByLabel('Read').check();
  await look(page, 'token-form');
  const form = page.getByRole('dialog');
  const generate = form.getByRole('button', { name: 'Generate token' });
  await loseFirst(page, '**/tokens');
  await page.setViewportSize({ width: 1200, height: 560 });
  await generate.click();
  // Above the button to press next, which a notification in the corner would cover.
  const notice = (await form.getByRole('alert').boundingBox())!;
  expect(notice.y + notice.height).toBeLessThan((await generate.boundingBox())!.y);
  await makeNarrowAndDark(page);
  // If closed while it is created, the token would exist without anybody having seen it.
  const escaped = Promise.withResolvers<void>();
  await page.route('**/tokens', async (route) => {
    await escaped.promise;
    await route.continue();
  });
  await generate.click();
  await page.locator('[aria-busy=true]').waitFor();
  await page.keyboard.press('Escape');
  escaped.resolve();
  const value = await page.getByLabel('Token', { exact: true }).inputValue();
  expect(value).toMatch(/^parley_\w{38}$/);
  // The second press of a double click may land here: the token would be lost for good.
  await page.mouse.click(5, 5);
  expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe(value);
  await look(page, 'token-shown');
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Generate token');
  await page.getByText('Not active yet').waitFor();
  await look(page, 'api-pending');

  const read = () =>
    call(app, 'GET', `/api/${shop.slug}/messages/wamid.none`, undefined, {
      authorization: `Bearer ${value}`,
    });
  expect((await read()).status).toBe(401);
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Your new token is active.').waitFor();
  expect((await read()).status).toBe(404);
  await page.reload();
  await page.getByText(`parley_…${value.slice(-4)}`).waitFor();
  expect(await page.content()).not.toContain(value);

  const row = page.getByRole('listitem').filter({ hasText: 'Shop server' });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await look(page, 'token-revoke');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Token revoked.').waitFor();
  await app.moveClock(1_000);
  expect((await read()).status).toBe(401);
});

test('staff see the tokens and cannot change anything', async () => {
  const page = await app.open(await app.tenant(), { role: 'staff' });
  await page.getByRole('link', { name: 'API', exact: true }).click();
  await page.getByText('Only an owner can change this.').waitFor();
  expect(await page.getByRole('switch', { name: 'API access' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Generate token' }).count()).toBe(0);
});

test('requests of tokens are listed, filtered by the address, and opened with a request id to copy', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/requests' });
  await page.getByText('No requests yet').waitFor();

  await page.getByRole('button', { name: 'Log bodies for an hour' }).click();
  await page.getByText(/^Bodies are logged until /).waitFor();
  await app.moveClock(1_000);
  await shop.call('POST', '/groups', { name: 'Newsletter', description: 'Once a month' });
  const refused = await shop.call('POST', '/statuses', { name: 'Lead', color: 'red' });
  const row = page.getByRole('main').getByRole('listitem');
  await row.filter({ hasText: 'POST /statuses' }).getByText('validation_failed').waitFor();
  await app.db.query(sql`
    update api_requests set left_out = 140 where tenant_id = ${shop.id} and path = '/groups'`);
  await app.db.query(sql`
    insert into api_requests (tenant_id, at, token_id, duration_ms, left_out, status, method, path, request_id)
    select ${shop.id}, now(), ${shop.tokenId}, 3, 0, 500, 'GET', '/contacts/' || n, 'r' || n
    from generate_series(1, 60) as n`);
  await page.reload();
  await row.nth(49).waitFor();
  expect(await row.count()).toBe(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('140 more requests at this time are not listed.').waitFor();

  await page.getByLabel('Status').selectOption({ label: '4xx: refused' });
  await expect.poll(() => row.count()).toBe(1);
  await row.locator('summary').click();
  await row.getByText('"color": "red"').waitFor();
  await row.getByText(refused.body.message).first().waitFor();
  const requestId = await row.getByRole('textbox', { name: 'Request ID' }).inputValue();
  expect(requestId).toBe(refused.headers['x-request-id']);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row.getByRole('button', { name: 'Copy: Request ID' }).click();
  await row.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(requestId);
  await look(page, 'requests-open');
  // A link to an open request shows it, also if it is not on the first page.
  const link = page.url().replace('status=4&', '');
  expect(link).toMatch(/\?open=\d+$/);
  await page.goto(link);
  await row.getByText('"color": "red"').waitFor();

  await page.getByLabel('Part of the path').fill('contacts/42');
  await expect.poll(() => row.count()).toBe(1);
  await page.getByLabel('Method').selectOption('POST');
  await page.getByText('No requests match.').waitFor();
  await page.reload();
  expect(await page.getByLabel('Part of the path').inputValue()).toBe('contacts/42');

  await page.getByRole('button', { name: 'Stop now' }).click();
  await page.getByText('Bodies are no longer logged.').waitFor();
  const staff = await app.open(shop, { role: 'staff', at: '/requests' });
  await staff.getByRole('main').getByRole('listitem').first().waitFor();
  expect(await staff.getByRole('button', { name: 'Log bodies for an hour' }).count()).toBe(0);
});
