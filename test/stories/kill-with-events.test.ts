import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseSettings, testApp } from '../program/app.ts';
import { control, misbehave } from '../servers/control.ts';
import { killWithEvents } from './kill-with-events.ts';

const app = testApp();
/** `npm run bench -- events-kill` does this a hundred times, and kills the database too. */
const kills = 2;

test('no event of a message is lost, repeated or wrong when the service is killed at any moment', {
  timeout: 300_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-killed-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { id, slug, token, number } = await app.tenant();
  const { phone_number_id: phoneNumberId, callback_id: callbackId } = number;
  const values = { phone_number_id: phoneNumberId };
  const { app_secret: appSecret } = await control(app, 'POST', '/simulator/numbers', values);
  await misbehave(app, { number } as Parameters<typeof misbehave>[1], { callbacks: false });
  const { acknowledged, events, faults } = await killWithEvents(
    app.services,
    {
      PARLEY_DATA_DIR: dataDir,
      ...databaseSettings(app),
      PARLEY_NETWORK_URL: app.simulator.url,
      PARLEY_MESSAGES_PER_SECOND: '0',
    },
    { id, slug, tokens: [token], phoneNumberId, callbackId, appSecret },
    kills,
  );
  expect(faults).toEqual([]);
  expect(events).toBeGreaterThanOrEqual(acknowledged.size);
});
