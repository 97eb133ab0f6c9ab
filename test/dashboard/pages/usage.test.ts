import type { Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import type { UsageData } from '../../../src/limits/dashboard-schema.ts';
import type { OverviewData } from '../../../src/overview/dashboard-schema.ts';
import { look } from '../../browser/look.ts';
import { openWithin, testDashboard } from '../../browser/open-dashboard.ts';
import { eventually } from '../../checks/eventually.ts';
import { moveToFreshMinute } from '../../program/clock.ts';

const app = testDashboard();
// Counts per day must be checked on the same day.
beforeEach(async () => {
  await moveToFreshMinute(app);
});

/** Returns what the page would get now. */
async function ask<Data>(page: Page, path: string): Promise<Data> {
  const address = JSON.stringify(`/dashboard-api${path}`);
  return page.evaluate<Data>(
    `fetch(${address}).then((answer) => answer.json()).then(({ data }) => data)`,
  );
}

test('an owner chooses the language and the time zone in which numbers and times are written', async () => {
  const shop = await app.tenant({ number: false });
  await app.db.query(sql`
    update tokens set last_used_at = '2026-01-01T23:30:00Z', expires_at = '2126-01-02T23:30:00Z'
    where tenant_id = ${shop.id}`);
  const page = await app.open(shop);
  const choose = async (label: string, search: string, option: string) => {
    await page.getByLabel(label, { exact: true }).click();
    await page.keyboard.type(search);
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const html = page.locator('html');
  await openWithin(page, `/t/${shop.slug}/usage`);
  await page.getByRole('heading', { name: 'Language and time zone' }).waitFor();
  await choose('Language', 'german', 'German');
  await choose('Time zone', 'tokyo', 'Asia/Tokyo');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Language and time zone saved.').waitFor();
  await page.getByText(/^Now: .* · 1\.234,5$/).waitFor();
  await openWithin(page, `/t/${shop.slug}/api`);
  await page.getByText('expires 03.01.2126').waitFor();

  await app.db.query(sql`update tenants set locale = 'ar' where id = ${shop.id}`);
  await page.reload();
  await page.getByRole('heading', { name: 'Tokens' }).waitFor();
  // The texts are English.
  expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['en', null]);

  const staff = await app.open(shop, { role: 'staff', at: '/usage' });
  await staff.getByRole('heading', { name: 'Plan and usage' }).waitFor();
  expect(await staff.getByRole('heading', { name: 'Language and time zone' }).count()).toBe(0);
});

test('usage is shown with the limits of the plan, and failures on the overview', async () => {
  const shop = await app.tenant({ plan: 'starter', delivers: true });
  await moveToFreshMinute(app);
  for (let each = 0; each < 3; each++) {
    await shop.call('POST', '/messages/send', {
      phone_number: '+14155550123',
      type: 'text',
      message: 'Hello',
    });
  }
  await shop.call('GET', '/messages/none');
  const page = await app.open(shop, { at: '/usage' });
  await page.getByText('3 of 1,000 messages').waitFor();
  await page.getByText('Your plan: Starter').waitFor();
  await eventually(async () => {
    const { tokens } = await ask<UsageData>(page, `/${shop.slug}/usage`);
    return tokens[0]?.days.at(-1)?.requests === 4;
  });
  await app.db.query(sql`update token_days set messages = 1000 where tenant_id = ${shop.id}`);
  await page.reload();
  await page.getByText('1,000 of 1,000 messages').waitFor();
  await page
    .getByText('messages have been used. Further messages are refused until midnight UTC.')
    .waitFor();

  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByText('Delivery rate').waitFor();
  await page.getByText('Days end at midnight UTC.').waitFor();
  const cells = page.getByRole('table', { name: 'Messages per day' }).getByRole('row').last();
  await eventually(async () => {
    const { days } = await ask<OverviewData>(page, `/${shop.slug}/overview`);
    return days.at(-1)?.delivered === 3;
  });
  await page.reload();
  await cells.waitFor();
  expect(await cells.getByRole('cell').allInnerTexts()).toEqual(['3', '0', '0', '0']);
});

test('messages that are sent in the dashboard are also in the chart of their day', async () => {
  const shop = await app.tenant({ plan: 'pro' });
  await moveToFreshMinute(app);
  const page = await app.open(shop);
  const sent = await page.evaluate<number>(`fetch('/dashboard-api/${shop.slug}/messages/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"phone_number": "+14155550123", "type": "text", "message": "Hello"}',
  }).then(({ status }) => status)`);
  expect(sent).toBe(200);
  await openWithin(page, `/t/${shop.slug}/usage`);
  await page.getByText('1 of 15,000 messages').waitFor();
  const today = page.getByRole('table', { name: 'Messages per day' }).getByRole('row').last();
  await eventually(async () => {
    const { tokens } = await ask<UsageData>(page, `/${shop.slug}/usage`);
    return tokens[0]?.days.at(-1)?.texts === 1;
  });
  await page.reload();
  await today.waitFor();
  expect(await today.getByRole('cell').allInnerTexts()).toEqual(['1', '0', '0']);
  await look(page, 'usage-dashboard');
});

test('a chart shows the figures of a day by mouse, arrow keys and touch, for the period of the address', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`
    insert into token_usage (tenant_id, token_id, day, requests, refusals, failures, texts, media,
                             templates)
    select ${shop.id}, ${shop.tokenId}, (now() at time zone 'utc')::date - each, 40 + each, each, 0,
           30, 10, 0
    from generate_series(0, 80) as each`);
  const page = await app.open(shop, { at: '/usage' });
  const chart = page.getByRole('slider', { name: 'Requests per day' });
  await chart.waitFor();
  const rows = page.getByRole('table', { name: 'Requests per day' }).getByRole('row');
  expect(await rows.count()).toBe(31);
  await page.getByRole('button', { name: '90 days' }).click();
  await expect.poll(() => rows.count()).toBe(91);
  expect(page.url()).toContain('days=90');
  await page.reload();
  await expect.poll(() => rows.count()).toBe(91);
  await page.getByRole('button', { name: '7 days', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(8);

  const figures = page.locator('figure').first().locator('dl');
  const { x, y, width, height } = (await chart.boundingBox())!;
  // The first of seven days is six days ago: 46 requests, 6 of them refused.
  await page.mouse.move(x + width / 14, y + height / 2);
  await figures.waitFor();
  expect((await figures.innerText()).split('\n')).toEqual([
    'Failed',
    '0',
    '0%',
    'Refused',
    '6',
    '13.0%',
    'Successful',
    '40',
    '87.0%',
    'Total',
    '46',
  ]);
  await look(page, 'usage-figures');
  await page.mouse.move(x, y - 40);
  await figures.waitFor({ state: 'detached' });

  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  expect(await chart.getAttribute('aria-valuenow')).toBe('2');
  expect(await chart.getAttribute('aria-valuetext')).toMatch(
    /: 45 in total\. Successful: 40, Refused: 5, Failed: 0$/,
  );
  expect(await figures.innerText()).toContain('45');
  await page.keyboard.press('Escape');
  await figures.waitFor({ state: 'detached' });

  const at = { clientX: x + (width * 13) / 14, clientY: y + height / 2, pointerType: 'touch' };
  await chart.dispatchEvent('pointerdown', at);
  await chart.dispatchEvent('pointerleave', at);
  await figures.waitFor();
  expect(await figures.innerText()).toContain('40');
});
