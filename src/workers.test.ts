import { PassThrough } from 'node:stream';
import pg from 'pg';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../test/checks/eventually.ts';
import { testApp } from '../test/program/app.ts';
import { createLog } from './platform/log.ts';
import { startWorkers } from './workers.ts';

const lines = new PassThrough();
const app = testApp({ PARLEY_MESSAGE_RETENTION_DAYS: '30' }, createLog('debug', lines));

test('every job of the list begins with the process', async () => {
  const stop = startWorkers(app.services);
  const { values } = await app.services.metrics.workerRuns.get();
  await stop();
  expect(values.map(({ labels }) => labels.worker).sort()).toEqual([
    'announce media folder',
    'change all contacts',
    'check new aliases',
    'check numbers',
    'compare states of numbers',
    'forget expired uploads',
    'forget former phones',
    'forget old work on contacts',
    'index search texts',
    'measure deliveries',
    'prune audit log',
    'prune bot answers',
    'prune counts',
    'prune deliveries',
    'prune events',
    'prune limits',
    'prune messages',
    'prune requests',
    'prune sign-ins',
    'prune store events',
    'publish events',
    'purge conversations',
    'remove kept files',
    'remove leftover downloads',
    'remove leftovers',
    'roll up messages',
    'settle abandoned sends',
    'sync templates',
    'unset deleted labels',
  ]);
});

test('the stop of a process waits for one step of pruning, not for all of it', async () => {
  const { id: tenantId, number } = await app.tenant();
  await app.db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, status, content, created_at)
    select ${tenantId}, ${number.id}, 'out', '+4915112345678', 'text', 'sent', '{}',
           now() - interval '40 days'
    from generate_series(1, 1200)`);
  await app.db.query(sql`
    insert into bot_answers (tenant_id, inbound_id, phone, state, due_at, created_at, answered_at, settled_at)
    select ${tenantId}, n, '+4915112345678', 'skipped', null, settled.at, settled.at, settled.at
    from generate_series(1, 1200) as n, (values (now() - interval '40 days')) as settled (at)`);
  await startWorkers(app.services)();
  const { rows } = await app.db.query<{ messages: number; answers: number }>(sql`
    select (select count(*) from stored_messages) as messages,
           (select count(*) from bot_answers) as answers`);
  expect(rows[0]!.messages).toBeGreaterThan(0);
  // One step deletes 500.
  expect(rows[0]!.answers).toBe(700);
});

test('while the database is away, no job logs errors, and all continue when it is back', async () => {
  const stop = startWorkers(app.services);
  const client = new pg.Client({ ...app.connection, database: 'postgres' });
  await client.connect();
  const { database } = app.connection;
  await client.query(`alter database ${database} allow_connections false`);
  await client.query(
    'select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1',
    [database],
  );
  await expect.poll(() => app.db.isLost()).toBe(true);
  lines.read();
  const entries: { level: number; msg: string }[] = [];
  const times = (msg: string) => entries.filter((line) => line.msg === msg).length;
  await eventually(async () => {
    const read: Buffer | null = lines.read();
    if (read)
      entries.push(
        ...String(read)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
    return times('looking for store events failed') > 0 && times('index search texts failed') > 0;
  });
  expect(entries.filter(({ level }) => level > 20)).toEqual([]);

  await client.query(`alter database ${database} allow_connections true`);
  await client.end();
  await expect.poll(() => app.db.isLost()).toBe(false);
  await stop();
});
