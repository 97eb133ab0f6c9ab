import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { look } from '../browser/look.ts';
import { testDashboard } from '../browser/open-dashboard.ts';

const app = testDashboard();

test('the dashboard can be used by keyboard alone, and the chosen theme is kept', async () => {
  const page = await app.open(await app.tenant());
  const focused = () => page.locator(':focus');
  await page.reload();
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
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Menu' }).click();
  // Its right end, near the button that closes the drawer.
  const tenants = page.getByRole('button', { name: /^Switch business/ });
  const { width, height } = (await tenants.boundingBox())!;
  await tenants.click({ position: { x: width - 2, y: height / 2 } });
  await page.getByRole('menuitem', { name: other.slug }).click();
  await page.waitForURL(`**/t/${other.slug}`);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
