import { PassThrough } from 'node:stream';
import pg from 'pg';
import { expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { signIn } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { misbehave } from '../../test/servers/control.ts';
import { createLog } from '../platform/log.ts';
import { createUsageGatherer } from './gather-usage.ts';
import { listUsage } from './usage-queries.ts';

const lines = new PassThrough();
const app = testApp({}, createLog('error', lines));

/**
 * Cuts the app's database connections and prevents new ones, until the returned function is called.
 *
 * @param left how many new ones are possible
 */
async function takeConnections(left = 0): Promise<() => Promise<void>> {
  const client = new pg.Client({ ...app.connection, database: 'postgres' });
  await client.connect();
  const { database } = app.connection;
  await client.query(`alter database ${database} connection limit ${left}`);
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
  const logged = String(lines.read())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request failed');
  const err = expect.stringContaining('too many connections');
  expect(logged).toMatchObject([
    { err, tenant: shop.slug, route: '/api/:tenant/messages/*' },
    { err, tenant: shop.slug, route: '/api/:tenant/messages/send' },
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
  for (let time = 0; time < 2; time++) {
    usage.note(shop.id, shop.tokenId, 200, 'text');
    await usage.flush();
  }
  expect(logged.read()).toBeNull();
  await restore();
  const added = await eventually(async () => {
    await usage.flush();
    const days = { from: '2000-01-01', to: '9999-12-31' };
    return (await listUsage(app.db, shop.id, days))[0];
  });
  expect(added).toMatchObject({ requests: 2, texts: 2 });
});

const statusesOf = async ({ id }: TestTenant): Promise<string[]> => {
  const { rows } = await app.db.pool.query<{ status: string }>(
    'select distinct status from stored_messages where tenant_id = $1 order by 1',
    [id],
  );
  return rows.map(({ status }) => status);
};

test('sends share the few connections that other programs leave, and none has an unknown outcome', async () => {
  const shop = await app.tenant();
  await misbehave(app, shop, { callbacks: false });
  const restore = await takeConnections(2);
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      shop.call('POST', '/messages/send', {
        phone_number: `+141555501${String(index).padStart(2, '0')}`,
        type: 'text',
        message: 'Hello',
      }),
    ),
  );
  await restore();
  // On a machine that is slow enough, some do not get a connection in time.
  const failed = responses.filter(({ status }) => status !== 200);
  expect(new Set(failed.map(({ body }) => body.code))).toEqual(
    new Set(failed.length > 0 ? ['no_connection'] : []),
  );
  for (const { headers } of failed) expect(headers).toHaveProperty('retry-after');
  expect(await statusesOf(shop)).toEqual(['sent']);
});

test('how a send ended is stored as soon as there is a connection again', async () => {
  const shop = await app.tenant();
  await misbehave(app, shop, { delayMs: 1_000, callbacks: false });
  await misbehave(app, shop, {
    phone: '+14155550124',
    delayMs: 1_000,
    failWith: 131026,
    failAs: 'answer',
  });
  const countResponses = async () => {
    const { values } = await app.services.metrics.sends.get();
    return values
      .filter(({ metricName }) => metricName?.endsWith('_count'))
      .reduce((sum, { value }) => sum + value, 0);
  };
  const before = await countResponses();
  const sending = ['+14155550123', '+14155550124'].map((phone_number) =>
    shop.call('POST', '/messages/send', { phone_number, type: 'text', message: 'Hello' }),
  );
  await eventually(async () => {
    const { rows } = await app.db.pool.query('select from messages where tenant_id = $1', [
      shop.id,
    ]);
    return rows.length === 2;
  });
  const restore = await takeConnections();
  await eventually(async () => (await countResponses()) === before + 2);
  await restore();
  const statuses = (await Promise.all(sending)).map(({ status }) => status);
  expect(statuses).toEqual([200, 422]);
  expect(await statusesOf(shop)).toEqual(['sent', 'failed']);
});
