import type { Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { testDashboard } from '../browser/open-dashboard.ts';
import { testStore } from '../features/stores.ts';

const app = testDashboard();

/** Opens the address of a page in a new tab of the same browser, as a pasted link. */
async function paste(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  return tab;
}

test('a link to the deliveries keeps filter and open delivery, however far below', async () => {
  const shop = await app.tenant();
  await setWebhook(app.services, shop.id, { url: 'http://127.0.0.1:9/hook' });
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state, reason, created_at)
    select ${shop.id}, case when each = 80 then 'status.created' else 'contact.updated' end, '{}',
           case when each % 2 = 0 then 'failed' else 'delivered' end::delivery_state,
           case when each % 2 = 0 then 'Refused ' || each end,
           now() - each * interval '1 minute'
    from generate_series(1, 90) as each`);
  const page = await app.open(shop, { at: '/webhook' });
  await page.getByLabel('State').selectOption({ label: 'Failed' });
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.locator('summary', { hasText: 'status.created' }).click();
  await page.getByText('Refused 80').waitFor();
  await expect.poll(() => page.url()).toMatch(/\?state=failed&open=/);

  const pasted = await paste(page);
  await pasted.getByText('Refused 80').waitFor();
  expect(await pasted.getByLabel('State').inputValue()).toBe('failed');
  expect(await pasted.getByRole('listitem').filter({ hasText: 'Delivered' }).count()).toBe(0);
  expect(await pasted.locator('details[open]').count()).toBe(1);
  await pasted.locator('summary', { hasText: 'status.created' }).click();
  await expect.poll(() => pasted.locator('details[open]').count()).toBe(0);
  await expect.poll(() => pasted.url()).not.toContain('open=');

  await page.getByLabel('Delivery ID').fill('msg_1');
  await expect.poll(() => page.url()).toContain('id=msg_1');
  await page.getByLabel('Since').fill('2025-01-02T09:05');
  await expect.poll(() => page.url()).toContain('since=2025-01-02');
  await page.reload();
  expect(await page.getByLabel('Delivery ID').inputValue()).toBe('msg_1');
  expect(await page.getByLabel('Since').inputValue()).toBe('2025-01-02T09:05');
});

test('a link to a store keeps period, filter and open post, however far below', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into store_events (tenant_id, store_id, dedup_key, topic, headers, body, state, due_at)
    select ${shop.id}, ${store.id}, sha256(convert_to(each::text, 'utf8')), 'order.created', '{}', convert_to('{"each":' || each || '}', 'utf8'),
           'done', null
    from generate_series(1, 70) as each
    returning id`);
  // A filter that is chosen later would close the post.
  const page = await app.open(shop, {
    at: `/stores/${store.id}?state=done&open=${rows[2]!.id}`,
  });
  await page.getByText('"each": 3').waitFor();
  await page.getByRole('button', { name: '90 days' }).click();
  await page.getByText('The last 90 days.').waitFor();

  const pasted = await paste(page);
  await pasted.getByText('"each": 3').waitFor();
  await pasted.getByText('The last 90 days.').waitFor();
  expect(await pasted.getByLabel('State').inputValue()).toBe('done');
});

test('a link to templates or conversations keeps what was searched for', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/templates' });
  await page.getByRole('button', { name: 'Sync now' }).first().click();
  await page.getByText(/^Synced:/).waitFor();
  await page.getByLabel('Search templates').fill('order');
  await page.getByLabel('Approved only').check();
  await expect.poll(() => page.url()).toMatch(/q=order.*approved=true|approved=true.*q=order/);
  const pasted = await paste(page);
  await pasted.getByRole('heading', { level: 2, name: 'order_update' }).first().waitFor();
  expect(await pasted.getByLabel('Search templates').inputValue()).toBe('order');
  expect(await pasted.getByLabel('Approved only').isChecked()).toBe(true);
  for (const name of await pasted.getByRole('heading', { level: 2 }).allInnerTexts()) {
    expect(name).toContain('order');
  }

  await page.goto(`${app.origin}/t/${shop.slug}/conversations?q=nobody`);
  await page.getByRole('searchbox').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('nobody');
});
