import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseSettings, testApp } from '../program/app.ts';
import { killUnderLoad } from './kill-under-load.ts';

const app = testApp();
/** `npm run bench -- webhooks-kill` does this a hundred times. */
const kills = 3;

test('no event is lost when the service is killed at any moment', {
  timeout: 300_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-killed-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { changes, received, faults } = await killUnderLoad(
    app.services,
    {
      PARLEY_DATA_DIR: dataDir,
      ...databaseSettings(app),
      PARLEY_NETWORK_URL: app.simulator.url,
      PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
      PARLEY_WEBHOOK_TIMEOUT_MS: '1000',
    },
    kills,
  );
  expect([...changes].filter((change) => !received.has(change))).toEqual([]);
  expect(faults).toEqual([]);
  const kinds = new Set([...changes].map((change) => change.split(' ')[0]));
  expect([...kinds].sort()).toEqual([
    'contact.created',
    'contact.deleted',
    'contact.updated',
    'status.created',
    'status.deleted',
    'status.updated',
  ]);
});
