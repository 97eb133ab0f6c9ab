import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { ServerSilent } from '../../src/platform/database/failures/lost-connection.ts';
import { createServices, type Services } from '../../src/services.ts';
import { eventually } from '../checks/eventually.ts';
import { holdLocks, lockWaiters } from '../database/locks.ts';
import { call, type TestTenant, testApp } from '../program/app.ts';
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts';

const app = testApp({ PARLEY_NETWORK_TIMEOUT_MS: '8000' });

/** Opens the database of the test through a proxy. */
async function openThroughProxy(): Promise<{ proxy: TcpProxy; db: Database }> {
  const { host, port, ...rest } = app.connection;
  const proxy = await startTcpProxy({ path: `${host}/.s.PGSQL.${port}` });
  const connection = { ...rest, host: '127.0.0.1', port: proxy.port };
  const db = openDatabase(connection, { onError: () => {} });
  onTestFinished(async () => {
    proxy.close();
    await db.close();
  });
  return { proxy, db };
}

/** Builds a second app with other services, and returns a function that calls it as a tenant. */
async function openSecond(services: Services) {
  const second = await buildApp(services);
  onTestFinished(() => second.close());
  return ({ slug, token }: TestTenant, method: string, path: string, body?: unknown) =>
    call({ ...app, app: second }, method, `/api/${slug}${path}`, body, {
      authorization: `Bearer ${token}`,
    });
}

const lockClass = 7;

/** The connections that hold a lock. */
async function holdersOf(id: number): Promise<number[]> {
  const { rows } = await app.db.query<{ pid: number }>(sql`
    select pid from pg_locks
    where locktype = 'advisory' and classid = ${lockClass} and objid = ${id}`);
  return rows.map(({ pid }) => pid);
}

let phones = 0;
const text = () => ({ phone_number: `+1415555${2000 + phones++}`, type: 'text', message: 'Hi' });

describe.concurrent('a server that dies without closing its connections', () => {
  test('ends requests of the database with a clear error, and is used again when it responds', async () => {
    const { proxy, db } = await openThroughProxy();
    const shop = await app.tenant();
    const ask = await openSecond({ ...app.services, db });
    const heard: string[] = [];
    await db.listen('silence', (payload) => heard.push(payload));
    await db.lockForLife(lockClass, shop.id);
    const holders = () => holdersOf(shop.id);
    const before = await holders();
    expect(await ask(shop, 'POST', '/messages/send', text())).toMatchObject({ status: 200 });

    const locks = await holdLocks(app, 'lock table contacts in share mode');
    const change = ask(shop, 'POST', '/contacts', { phone: '+14155550001', firstname: 'Ada' });
    await lockWaiters(app);
    proxy.fallSilent();
    const read = ask(shop, 'GET', '/contacts');
    const sent = ask(shop, 'POST', '/messages/send', text());
    const within = db.transaction((tx) => tx.query(sql`select 1`));
    await expect(within).rejects.toThrow(ServerSilent);
    expect(await change).toMatchObject({
      status: 500,
      body: { code: 'internal_error', message: expect.stringMatching(/not known whether/) },
    });
    for (const response of [await read, await sent, await ask(shop, 'GET', '/contacts')]) {
      expect(response).toMatchObject({
        status: 500,
        body: { code: 'no_connection' },
        headers: { 'retry-after': expect.anything() },
      });
    }
    expect(db.isLost()).toBe(true);

    await locks.query('rollback');
    heard.length = 0;
    proxy.speak();
    await eventually(async () => (await ask(shop, 'GET', '/contacts')).status === 200);
    await expect.poll(() => heard).toEqual(['']);
    await app.db.pool.query("select pg_notify('silence', 'back')");
    await expect.poll(() => heard).toEqual(['', 'back']);
    // The lock of the old connection ends with it.
    await expect.poll(holders).toEqual([expect.not.toBeOneOf(before)]);
  });

  test('ends a statement that the server does not know, but none on which it works', async () => {
    const { proxy, db } = await openThroughProxy();
    await db.pool.query('select 1');
    proxy.loseOpen();
    const lost = db.pool.query('select 1');
    await db.listen('silence', () => {});
    const slow = db.pool.query('select pg_sleep(9)');
    await expect(lost).rejects.toThrow(ServerSilent);
    expect(db.isLost()).toBe(false);
    expect((await slow).rowCount).toBe(1);
  });

  test('makes sends fail before anything is sent, as long as the network is silent', async () => {
    const { hostname: host, port } = new URL(app.simulator.url);
    const proxy = await startTcpProxy({ host, port: Number(port) });
    onTestFinished(() => proxy.close());
    const { config, db, log } = app.services;
    const services = createServices({ config, db, log, masterKeys: [app.masterKey] });
    onTestFinished(() => services.network.close());
    const ask = await openSecond({ ...services, networkUrl: `http://${host}:${proxy.port}` });
    const shop = await app.tenant();
    expect(await ask(shop, 'POST', '/messages/send', text())).toMatchObject({ status: 200 });

    proxy.fallSilent();
    const first = ask(shop, 'POST', '/messages/send', text());
    expect(await first).toMatchObject({ status: 500, body: { code: 'outcome_unknown' } });
    const later = await ask(shop, 'POST', '/messages/send', text());
    expect(later).toMatchObject({
      status: 500,
      body: { code: 'network_unavailable', message: expect.stringMatching(/nothing was sent/) },
      headers: { 'retry-after': expect.anything() },
    });
    proxy.speak();
    await eventually(async () => {
      const { status } = await ask(shop, 'POST', '/messages/send', text());
      return status === 200;
    });
  });
});
