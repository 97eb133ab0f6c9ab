import type pg from 'pg';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../test/database/database.ts';
import { type Database, type Db, openDatabase } from './database.ts';
import { isWithoutConnection } from './failures/no-connection.ts';

const readTimeoutsMs = { api: 7_000, dashboard: 7_000 };

let connection: pg.PoolConfig;
let db: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ connection, db, drop } = await createTestDatabase());
  await db.pool.query('create table things (id int)');
});
afterAll(() => drop());

const count = async () => (await db.query(sql`select * from things`)).rows.length;
const add = (id: number) => sql`insert into things values (${id})`;

describe.each(['a statement', 'a transaction'])('after a failover, %s', (what) => {
  test('fails without effect at the old primary, and the next one has a new connection', async () => {
    const before = await count();
    const write = (id: number) =>
      what === 'a statement' ? db.query(add(id)) : db.transaction((tx) => tx.query(add(id)));
    // Several connections, which are in use at the same time.
    const becomeStandby = sql`select set_config('default_transaction_read_only', 'on', false), pg_sleep(0.1)`;
    await Promise.all(Array.from({ length: 4 }, () => db.query(becomeStandby)));
    const failure = await write(1).then(
      () => undefined,
      (error) => error,
    );
    expect(isWithoutConnection(failure)).toBe(true);
    expect(await count()).toBe(before);
    await write(2);
    expect(await count()).toBe(before + 1);
  });
});

describe('a transaction', () => {
  test('commits everything or nothing', async () => {
    const before = await count();
    await db.transaction(async (tx) => {
      await tx.query(add(1));
      await tx.query(add(2));
    });
    expect(await count()).toBe(before + 2);
    const failed = db.transaction(async (tx) => {
      await tx.query(add(3));
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await count()).toBe(before + 2);
  });

  test('whose connection is lost fails alone, and the pool stays usable', async () => {
    const before = await count();
    const cut = db.transaction(async (tx) => {
      await tx.query(add(4));
      const { rows } = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      // The loss is noticed while no query runs.
      await new Promise((resolve) => setTimeout(resolve, 50));
      await tx.query(add(5));
    });
    await expect(cut).rejects.toThrow();
    expect(await count()).toBe(before);
    await Promise.all(Array.from({ length: 20 }, () => count()));
  });
});

describe('a connection', () => {
  test('that is lost while in use fails only for its user', async () => {
    // The library for members and sessions uses connections like this.
    const client = await db.schemaPool('auth').connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const query = client.query('select pg_sleep(60)');
    const failed = expect(query).rejects.toThrow();
    await db.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
    await failed;
    await expect(client.query('select 1')).rejects.toThrow();
    client.release();
  });

  test('has the same time format, isolation and idle timeout, whatever the settings of the database', async () => {
    const { connection: other, drop: dropOther } = await createTestDatabase();
    onTestFinished(dropOther);
    const set = `alter database ${other.database} set`;
    await db.pool.query(`${set} datestyle = 'German'`);
    await db.pool.query(`${set} timezone = 'Asia/Kolkata'`);
    await db.pool.query(`${set} default_transaction_isolation = 'serializable'`);
    await db.pool.query(`${set} idle_session_timeout = '1min'`);
    const { pool, batched, schemaPool, close } = openDatabase(other, { onError: () => {} });
    const time = new Date('2026-03-01T10:20:30.456Z');
    const statement = sql`
      select ${time}::timestamptz as same, date_trunc('hour', ${time}::timestamptz) as hour,
             current_setting('transaction_isolation') as isolation,
             current_setting('idle_session_timeout') as timeout`;
    for (const each of [pool, batched, schemaPool('public')] as Db[]) {
      const { rows } = await each.query(statement);
      expect(rows).toEqual([
        {
          same: time,
          hour: new Date('2026-03-01T10:00Z'),
          isolation: 'read committed',
          timeout: '0',
        },
      ]);
    }
    await close();
  });

  test('has no time limit that the server, the database or the user sets, except for reads', async () => {
    const { connection: other, drop: dropOther } = await createTestDatabase();
    onTestFinished(dropOther);
    const { rows: limited } = await db.pool.query<{ name: string }>(
      `select name from pg_settings where name ~ '^(statement|lock|transaction)_timeout$'`,
    );
    for (const { name } of limited) {
      await db.pool.query(`alter database ${other.database} set ${name} = '50ms'`);
    }
    const opened = openDatabase(other, { onError: () => {}, readTimeoutsMs });
    onTestFinished(() => opened.close());
    const limits = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
    const none = { statement: '0', lock: '0' };
    for (const pool of [opened.pool, opened.batched as Database['pool']]) {
      expect((await pool.query(limits)).rows).toEqual([none]);
    }
    const { rows } = await (opened.reads.api as unknown as Database['pool']).query(limits);
    expect(rows).toEqual([{ ...none, statement: '7s' }]);

    // Backups and restores run for hours in one transaction.
    const client = await opened.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    await client.query('select pg_sleep(0.2)');
    await client.query('commit');
  });

  test('has the options of its address, overridden by those of its pool', async () => {
    const { host, port, user, password, database } = connection;
    const given = new URLSearchParams({
      host: `${host}`,
      application_name: 'eu',
      options: '-c work_mem=5MB -c enable_seqscan=on -c jit=on -c search_path=elsewhere',
    });
    const connectionString = `postgres://${user}:${password}@localhost:${port}/${database}?${given}`;
    const opened = openDatabase({ connectionString }, { onError: () => {} });
    const settings = async (pool: Db) => {
      const { rows } = await pool.query(sql`
        select current_setting('work_mem') as memory, current_setting('enable_seqscan') as scans,
               current_setting('jit') as jit,
               current_setting('search_path') as path, current_setting('application_name') as name`);
      return rows[0];
    };
    const common = { memory: '5MB', jit: 'off', name: 'parley' };
    expect(await settings(opened.pool as Db)).toEqual({
      ...common,
      scans: 'on',
      path: 'elsewhere',
    });
    expect(await settings(opened.batched)).toEqual({
      ...common,
      scans: 'off',
      path: 'elsewhere',
    });
    expect(await settings(opened.schemaPool('auth') as Db)).toEqual({
      ...common,
      scans: 'on',
      path: 'auth',
    });
    await opened.close();
  });
});
