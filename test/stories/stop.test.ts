import { rm } from 'node:fs/promises';
import { Agent, fetch as fetchWith } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/main.ts';
import { createVault } from '../../src/platform/secrets/crypto.ts';
import { countOtherKeys } from '../../src/platform/secrets/keys-in-use.ts';
import { makeScratchFolder } from '../database/scratch.ts';
import { databaseSettings, testApp } from '../program/app.ts';
import { misbehave } from '../servers/control.ts';

const app = testApp();

test('a process shows its master key, reports that it stops, serves on, and lets a slow send finish', async () => {
  const dataDir = await makeScratchFolder('parley-stop-');
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const running = await start(
    readConfig({
      PARLEY_DATA_DIR: dataDir,
      PARLEY_PORT: '0',
      PARLEY_METRICS_PORT: '0',
      PARLEY_LOG_LEVEL: 'silent',
      PARLEY_NETWORK_URL: app.simulator.url,
      PARLEY_MESSAGES_PER_SECOND: '0',
      ...databaseSettings(app),
    }),
    { simulator: false },
  );
  const dispatcher = new Agent({ allowH2: false, connect: { rejectUnauthorized: false } });
  onTestFinished(() => dispatcher.destroy());
  const shop = await app.tenant();
  const ask = (path: string, body?: object) =>
    fetchWith(`${running.url}${path}`, {
      dispatcher,
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const ready = async () => (await fetch(`${running.metricsUrl}/readyz`)).status;
  expect(await ready()).toBe(200);
  expect(await countOtherKeys(app.services)).toBe(0);
  const vault = createVault(Buffer.alloc(32), app.masterKey);
  expect(await countOtherKeys({ db: app.db, vault })).toBe(1);

  // Longer than the process takes for everything else.
  await misbehave(app, shop, { delayMs: 4_000 });
  const text = { phone_number: '+14155550123', type: 'text', message: 'Hi' };
  const send = ask(`/api/${shop.slug}/messages/send`, text);
  const closed = running.close(600_000);
  expect(await ready()).toBe(503);
  const served = await ask(`/api/${shop.slug}/contacts`);
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  void running.close();
  expect((await send).status).toBe(200);
  await closed;
  await expect(ready()).rejects.toThrow();
});
