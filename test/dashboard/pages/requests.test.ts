import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { look } from '../../browser/look.ts';
import { testDashboard } from '../../browser/open-dashboard.ts';

const app = testDashboard();

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
