import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../web/build.ts';
import { sharedBrowser } from '../browser/launch-browser.ts';
import { copyCluster } from '../database/copy-cluster.ts';
import {
  callHttps,
  createPlace,
  type Place,
  type StartedService,
  startService,
} from '../program/start-service.ts';

let place: Place;
let demo: StartedService;

beforeAll(async () => {
  await buildApp('phone');
  place = await createPlace();
  await copyCluster(place.dataDir, 'migrated');
  demo = await startService(place, 'demo');
}, 120_000);
afterAll(async () => {
  await demo?.stop();
  await place?.remove();
});

const bot = async (...args: string[]) =>
  JSON.parse(await place.parley('bot', ...args, '--json')) as Record<string, unknown>;

/** Opens a new phone with the chat of the demo's business. */
async function openChat(): Promise<Page> {
  const page = await (await sharedBrowser()).newPage();
  await page.goto(demo.printed.simulator!);
  await page.getByRole('button', { name: 'Add a phone' }).first().click();
  await page.getByLabel('Whose phone is it?').fill('Ann Lee');
  await page.getByLabel('Phone number').fill('+44 7700 900123');
  await page.getByRole('button', { name: 'Add phone' }).click();
  return page;
}

test('a person who sends a keyword from a phone gets the reply of the bot that the command created', async () => {
  const text = ['--match', 'contains', '--keywords', 'opening hours,öffnungszeiten'];
  const made = await bot(
    'create-message',
    'demo',
    '--name',
    'Hours',
    ...text,
    '--reply',
    'Hi {{firstname}}, we are open 9 to 5.',
  );
  expect(made).toMatchObject({ name: 'Hours', keywords: ['opening hours', 'öffnungszeiten'] });
  const { token } = demo.printed;
  const listed = await callHttps(place, 'GET', '/api/demo/message-bots', { token });
  const { kind: _, ...record } = made;
  expect(listed.body.data).toEqual([record]);

  const page = await openChat();
  const send = async (text: string) => {
    await page.getByLabel('Write a message').fill(text);
    await page.keyboard.press('Enter');
  };
  const bubbles = page.getByRole('article').filter({ hasText: 'Hi Ann Lee, we are open 9 to 5.' });
  await send('Hello');
  await send('What are your OPENING  hours?');
  await bubbles.waitFor();
  await send('Öffnungszeiten?');
  await bubbles.nth(1).waitFor();
  // Each message has one reply, and the greeting has none.
  await expect
    .poll(async () => {
      const { answers } = (await bot('answers', 'demo')) as { answers: { state: string }[] };
      return answers.map(({ state }) => state);
    })
    .toEqual(['sent', 'sent']);
  expect(await bubbles.count()).toBe(2);

  await bot('delete', 'demo', String(made.id));
  const any = ['--name', 'Any', '--match', 'any', '--reply', 'We will call you.'];
  await bot('create-message', 'demo', ...any);
  await send('Opening hours');
  await page.getByRole('article').filter({ hasText: 'We will call you.' }).waitFor();
  expect(await bubbles.count()).toBe(2);
  await page.close();
}, 60_000);
