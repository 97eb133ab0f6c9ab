import { PassThrough } from 'node:stream';
import pg from 'pg';
import { expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { signIn } from '../../test/features/sign-in.ts';
import { testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { createLog } from '../platform/log.ts';
import { createUsageGatherer } from './gather-usage.ts';
import { listUsage } from './usage-queries.ts';

const lines = new PassThrough();
const app = testApp({}, createLog('error', lines));

/**
 * Cuts the app's database connections and prevents new ones, until the returned function is called.
 */
async function takeConnections(): Promise<() => Promise<void>> {
  const client = new pg.Client({ ...app.connection, database: 'postgres' });
  await client.connect();
  const { database } = app.connection;
  await client.query(`alter database ${database} connection limit 0`);
  // Waits for the end of each, because a connection that still works would count a request.
  await client.query(
    'select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1',
    [database],
  );
  return async () => {
    await client.query(`alter database ${database} connection limit -1`);
    await client.end();
  };
}

test('a request without a database connection is a 500 with Retry-After, and is not counted', async () => {
  const shop = await app.tenant();
  const member = await signIn(app, shop);
  await moveToFreshMinute(app);
  const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
  const before = await shop.call('GET', '/messages/none');
  const restore = await takeConnections();
  // Wait until the app has noticed that its connections are cut.
  await eventually(async () => {
    const { headers } = await shop.call('GET', '/messages/none');
    return headers['retry-after'] !== undefined;
  });
  lines.read();
  for (const response of [
    await shop.call('GET', '/messages/none'),
    await shop.call('POST', '/messages/send', text),
  ]) {
    expect(response.status).toBe(500);
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(response.body).toEqual({
      success: false,
      message: expect.stringMatching(/too busy/),
      errors: {},
      code: 'no_connection',
    });
  }
  // Only one line each, because there are many while the database is unreachable.
  const logged = String(lines.read()).trim().split('\n');
  expect(logged.map((line) => JSON.parse(line).err)).toEqual([
    expect.stringContaining('too many connections'),
    expect.stringContaining('too many connections'),
  ]);
  await eventually(async () => {
    const { status, headers } = await member.call('GET', '/overview');
    return status === 500 && Number(headers['retry-after']) >= 1;
  });
  await restore();
  const after = await shop.call('GET', '/messages/none');
  expect(Number(after.headers['ratelimit-remaining'])).toBe(
    Number(before.headers['ratelimit-remaining']) - 1,
  );
});

test('usage that cannot be added while the database is unreachable is added later, and nothing is logged', async () => {
  const shop = await app.tenant({ number: false });
  await app.db.listen('anything', () => {});
  const logged = new PassThrough();
  const usage = createUsageGatherer({ ...app.services, log: createLog('info', logged) });
  const restore = await takeConnections();
  await eventually(async () => app.db.isLost());
  usage.note(shop.id, shop.tokenId, 200, 'text');
  await usage.flush();
  expect(logged.read()).toBeNull();
  await restore();
  const added = await eventually(async () => {
    await usage.flush();
    const days = { from: '2000-01-01', to: '9999-12-31' };
    return (await listUsage(app.db, shop.id, days))[0];
  });
  expect(added).toMatchObject({ requests: 1, texts: 1 });
});
