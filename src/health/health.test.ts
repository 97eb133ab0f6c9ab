import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { call, databaseSettings, testApp } from '../../test/program/app.ts';
import { buildApp } from '../app.ts';
import { listenForOperator } from '../metrics/listen-for-operator.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createMetrics } from '../platform/metrics.ts';
import { schemaVersion } from '../platform/migrating/schema-version.ts';
import type { Services } from '../services.ts';

const app = testApp();

/** Asks a second process with other services, on the public listener and on the operator's. */
async function askSecond(given: Partial<Services>) {
  const services = { ...app.services, ...given, metrics: createMetrics() };
  const second = await buildApp(services);
  const operator = await listenForOperator(services, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await second.close();
    await operator.close();
  });
  return async (path: string) => {
    const own = await fetch(operator.url + path);
    const { status, body } = await call({ ...app, app: second }, 'GET', path);
    return [status, body, own.status, await own.json()];
  };
}

test('a process that can serve is alive and ready', async () => {
  const ask = await askSecond({});
  const alive = { status: 'ok' };
  expect(await ask('/healthz')).toEqual([200, alive, 200, alive]);
  const ready = { status: 'ready' };
  expect(await ask('/readyz')).toEqual([200, ready, 200, ready]);
});

test('a process that stops is alive, but not ready', async () => {
  const stopping = await askSecond({ stopping: AbortSignal.abort() });
  expect(await stopping('/healthz')).toEqual([200, { status: 'ok' }, 200, { status: 'ok' }]);
  expect(await stopping('/readyz')).toEqual([
    ...[503, { status: 'not_ready' }],
    ...[503, { status: 'stopping' }],
  ]);
});

test('a process is not ready if its schema is too new for it', async () => {
  const set = (version: number) =>
    app.db.query(sql`update schema_compatibility set oldest_program = ${version}`);
  const old = await askSecond({});
  await set(schemaVersion + 1);
  expect(await old('/readyz')).toMatchObject([503, {}, 503, { status: 'schema_too_new' }]);
  await set(schemaVersion);
  const current = await askSecond({});
  expect((await current('/readyz'))[0]).toBe(200);
});

test('a process is not ready without its database, or if that is read-only', async () => {
  const db = openDatabase({ host: '/nowhere' }, { onError: () => {} });
  onTestFinished(() => db.close());
  const lonely = await askSecond({ db });
  expect((await lonely('/healthz'))[0]).toBe(200);
  expect(await lonely('/readyz')).toMatchObject([503, {}, 503, { status: 'no_database' }]);

  const { DATABASE_URL } = databaseSettings(app);
  const connectionString = `${DATABASE_URL}&options=-c%20default_transaction_read_only%3Don`;
  const standby = openDatabase({ connectionString }, { onError: () => {} });
  onTestFinished(() => standby.close());
  const readOnly = await askSecond({ db: standby });
  expect(await readOnly('/readyz')).toMatchObject([503, {}, 503, { status: 'database_read_only' }]);
});
