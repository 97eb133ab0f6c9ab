import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../../../test/database/database.ts';
import type { Database } from '../database/database.ts';
import { createNotifications } from './notifications.ts';

let db: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await createTestDatabase());
});
afterAll(() => drop());

async function listeningConnections(): Promise<number[]> {
  const { rows } = await db.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and query like 'listen %'`,
  );
  return rows.map(({ pid }) => pid);
}

test('every channel has its own listeners, and all share one connection', async () => {
  const heard: string[] = [];
  const ends = await Promise.all(
    ['red', 'green', 'red'].map((channel, place) =>
      db.listen(channel, (payload) => heard.push(`${place} ${channel} ${payload}`)),
    ),
  );
  expect(heard.sort()).toEqual(['0 red ', '1 green ', '2 red ']);
  expect(await listeningConnections()).toHaveLength(1);

  heard.length = 0;
  await db.pool.query("select pg_notify('red', 'a'), pg_notify('green', 'b')");
  await expect.poll(() => heard.sort()).toEqual(['0 red a', '1 green b', '2 red a']);

  heard.length = 0;
  ends[0]!();
  await db.pool.query("select pg_notify('red', 'c'), pg_notify('green', 'd')");
  await expect.poll(() => heard.sort()).toEqual(['1 green d', '2 red c']);
  for (const end of ends) end();
});

test('after a lost connection every listener is registered again, and called once', async () => {
  const heard: string[] = [];
  for (const channel of ['north', 'south']) {
    await db.listen(channel, (payload) => heard.push(`${channel} ${payload}`));
  }
  heard.length = 0;
  const [pid] = await listeningConnections();
  await db.pool.query('select pg_terminate_backend($1)', [pid]);
  await expect.poll(() => heard.sort()).toEqual(['north ', 'south ']);

  heard.length = 0;
  await db.pool.query("select pg_notify('north', 'a'), pg_notify('south', 'b')");
  await expect.poll(() => heard.sort()).toEqual(['north a', 'south b']);
});

test('a lost database is reported once and retried, until the end of listening', async () => {
  const { host, port, user, password, database } = db.pool.options;
  let isUnreachable = false;
  let [refusals, returns] = [0, 0];
  const clients: pg.Client[] = [];
  const notifications = createNotifications(
    () => {
      const name = isUnreachable ? 'none' : database;
      clients.push(new pg.Client({ host, port, user, password, database: name }));
      return clients.at(-1)!;
    },
    { lost: () => refusals++, back: () => returns++ },
  );
  const lose = async () => {
    isUnreachable = true;
    refusals = 0;
    await clients.at(-1)!.end();
    await expect.poll(() => refusals).toBe(1);
  };
  const heard: string[] = [];
  await notifications.listen('east', (payload) => heard.push(payload));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await lose();
  // A channel that is added meanwhile is heard once there is a connection.
  await notifications.listen('west', (payload) => heard.push(payload));
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  vi.runOnlyPendingTimers();
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  expect({ refusals, returns, heard }).toEqual({ refusals: 1, returns: 0, heard: [''] });
  isUnreachable = false;
  vi.runOnlyPendingTimers();
  await expect.poll(() => heard).toEqual(['', '', '']);
  expect({ returns, isLost: notifications.isLost() }).toEqual({ returns: 1, isLost: false });

  await lose();
  await notifications.close();
  const attempts = clients.length;
  // The timer of the next attempt.
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  vi.runOnlyPendingTimers();
  expect(clients).toHaveLength(attempts);
});
