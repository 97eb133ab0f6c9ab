import { createHmac } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inviteMember } from '../../../src/members/invite-member.ts';
import { look, pageLooks } from '../../browser/look.ts';
import { testDashboard } from '../../browser/open-dashboard.ts';
import { readQrCode } from '../../browser/read-qr-code.ts';

const app = testDashboard();
const password = 'a ship in port is safe';

test('a second step is set up with a QR code, and sign-in requires a code of the app', async () => {
  const shop = await app.tenant();
  const page = await app.blank();
  const email = 'two-steps@example.com';
  const { url } = await inviteMember(app.services, shop.id, { email, byOperator: true });
  await page.goto(url.replace(/^https:\/\/[^/]+/, app.origin));
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await page.goto(`${app.origin}/account`);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Your password').fill('not my password');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This is not your password.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect.poll(() => page.getByLabel('Your password').inputValue()).toBe('');
  expect(await page.getByText('This is not your password.').count()).toBe(0);
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const key = await page.getByLabel('Key', { exact: true }).inputValue();
  const link = await page.getByRole('link', { name: 'Open in an app' }).getAttribute('href');
  expect(new URL(link!).searchParams.get('secret')).toBe(key);
  const drawn = await readModules(page.getByRole('img', { name: 'QR code with the key' }));
  expect(readQrCode(drawn)).toBe(link);
  await look(page, 'two-factor', pageLooks);

  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('This is not the current code').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key));
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('Save your backup codes').waitFor();
  const readBackup = async () =>
    (await page.getByLabel('Backup codes', { exact: true }).inputValue()).split(' ')[0]!;
  const replaced = await readBackup();
  await look(page, 'backup-codes');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Sign-in asks for your password and a code').waitFor();
  await page.getByRole('button', { name: 'New backup codes' }).click();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('dialog').getByRole('button', { name: 'New backup codes' }).click();
  await page.getByText('Save your backup codes').waitFor();
  const backup = await readBackup();
  await page.getByRole('button', { name: 'Done' }).click();

  await signOut(page);
  await enterPassword(page, email);
  await page.getByLabel('Code', { exact: true }).fill('123456');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This is not the current code').waitFor();
  await look(page, 'second-step', pageLooks);
  for (let wrong = 2; wrong <= 6; wrong++) {
    const answered = page.waitForResponse(/verify-totp/);
    await page.getByRole('button', { name: 'Continue' }).click();
    await answered;
  }
  await page.getByText('Too many wrong codes. Sign in again.').waitFor();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await look(page, 'too-many-codes');
  await page.goto(`${app.origin}/t/${shop.slug}`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await enterPassword(page, email);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await page.goto(`${app.origin}/account`);
  await signOut(page);
  const enterBackup = async (code: string) => {
    await page.getByLabel('Backup code').fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  await enterPassword(page, email);
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByText('No phone and no backup codes?').waitFor();
  await enterBackup(replaced);
  await page.getByText('This is not one of your backup codes').waitFor();
  await enterBackup(backup);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goto(`${app.origin}/account`);
  await signOut(page);
  await enterPassword(page, email);
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await enterBackup(backup);
  await page.getByText('This is not one of your backup codes').waitFor();
});

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

async function enterPassword(page: Page, email: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
}

/** Computes what an authenticator app shows now (RFC 6238, SHA-1, 30 s, six digits). */
function codeOf(key: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key].map((each) => alphabet.indexOf(each).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const word = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff;
  return String(word % 1_000_000).padStart(6, '0');
}

/** Reads the dark and light modules as they are drawn, without the white border. */
async function readModules(image: Locator): Promise<boolean[][]> {
  const path = await image.locator('path').getAttribute('d');
  const side = Number((await image.getAttribute('viewBox'))!.split(' ')[2]) - 8;
  const modules = Array.from({ length: side }, () => Array<boolean>(side).fill(false));
  for (const [, x, y] of path!.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    modules[Number(y) - 4]![Number(x) - 4] = true;
  }
  return modules;
}
