import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { databaseSettings, testApp } from '../../../test/program/app.ts';
import { spawnParley } from '../../../test/program/bin-parley.ts';
import { startPublishing } from '../../events/publishing/start-publishing.ts';

const app = testApp();

test('event tail prints new events until it is interrupted or its reader ends, and says why it cannot', async () => {
  const shop = await app.tenant();
  const silent = await app.tenant({ abilities: ['messages:text'] });
  const stop = startPublishing(app.services);
  onTestFinished(stop);
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-tail-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PARLEY_'));
  const environment = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    PARLEY_DATA_DIR: dataDir,
    ...databaseSettings(app),
  };
  const tail = (slug: string) =>
    spawnParley(['event', 'tail', slug, '--types', 'status.*', '--json'], environment);

  const running = tail(shop.slug);
  const piped = tail(shop.slug);
  const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
  // Each is seen only until the next heartbeat of its connection.
  const listening = new Set<number>();
  await eventually(async () => {
    const { rows } = await app.db.query<{ pid: number }>(sql`
      select pid from pg_stat_activity
      where datname = current_database() and query = 'listen "events"'`);
    for (const { pid } of rows) listening.add(pid);
    return listening.size === 2;
  });
  await shop.call('POST', '/groups', { name: 'Friends' });
  const { data } = (await shop.call('POST', '/statuses', { name: 'Lead' })).body;
  const { value } = await lines.next();
  expect(JSON.parse(value!)).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    event: 'status.created',
    data,
  });
  // As `head -1` ends, before the second event.
  await once(piped.stdout, 'data');
  piped.stdout.destroy();
  const ended = once(piped, 'exit');
  await shop.call('POST', '/statuses', { name: 'Client' });
  expect(await ended).toEqual([0, null]);
  running.kill('SIGINT');
  expect(await once(running, 'exit')).toEqual([null, 'SIGINT']);

  const refused = tail(silent.slug);
  let complaint = '';
  refused.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  expect((await once(refused, 'exit'))[0]).toBe(1);
  expect(complaint).toMatch(/has no log of events\. It begins with the first token/);
});
