import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { createTestDatabase } from '../../../test/database/database.ts';
import { migrationLock, schemaLockClass } from '../database/advisory-locks.ts';
import { checkSchema, migrate } from './migrate.ts';

let folder: string;
let connection: pg.PoolConfig;
let pool: pg.Pool;
let drop: () => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
  ({ connection, drop } = await createTestDatabase());
  pool = new pg.Pool(connection);
  await pool.query('drop table migrations');
  await write('0001_a.sql', 'create table a (id int)');
});

afterEach(async () => {
  await pool.end();
  await drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const run = (options?: { onWait(reason: string): void }) =>
  migrate(pool, pathToFileURL(`${folder}/`), options);
const check = () => checkSchema(pool, pathToFileURL(`${folder}/`));

describe('migrations', () => {
  test('run once each, in order, and new ones later', async () => {
    await write('0002_b.sql', 'alter table a add column b int');
    expect(await run()).toEqual(['0001_a.sql', '0002_b.sql']);
    expect(await run()).toEqual([]);
    await write('0003_c.sql', 'alter table a add column c int');
    expect(await run()).toEqual(['0003_c.sql']);
    await pool.query('select b, c from a');
  });

  test('run once when processes start together', async () => {
    const ran = await Promise.all([run(), run(), run(), run()]);
    expect(ran.flat()).toEqual(['0001_a.sql']);
  });

  test('that ran already are not waited for, also while another process has the lock', async () => {
    await run();
    const other = await pool.connect();
    await other.query('select pg_advisory_lock($1)', [migrationLock]);
    expect(await run()).toEqual([]);
    other.release(true);
  });

  test('that were edited after they ran are refused', async () => {
    await run();
    await write('0001_a.sql', 'create table a (id bigint)');
    await expect(run()).rejects.toThrow(/0001_a.sql was edited after it ran/);
  });

  test('of a newer version in the database are refused', async () => {
    await write('0002_b.sql', 'create table b (id int)');
    await run();
    await rm(join(folder, '0002_b.sql'));
    await expect(run()).rejects.toThrow(/0002_b.sql, which is newer than this version/);
    await expect(check()).rejects.toThrow(/0002_b.sql, which is newer than this version/);
    // The newer version says that it works with this one.
    await pool.query('update schema_compatibility set oldest_program = 1');
    expect(await run()).toEqual([]);
    await check();
  });

  test('run also after one with a higher number, and do not stop a program that does not know them', async () => {
    await write('0003_c.sql', 'create table c (id int)');
    expect(await run()).toEqual(['0001_a.sql', '0003_c.sql']);
    await write('0002_b.sql', 'create table b (id int)');
    await expect(check()).rejects.toThrow(/0002_b.sql did not run/);
    expect(await run()).toEqual(['0002_b.sql']);
    await check();
    await rm(join(folder, '0002_b.sql'));
    await pool.query('update schema_compatibility set oldest_program = 3');
    await check();
  });

  test('that did not run are missed by a program that needs them', async () => {
    await expect(check()).rejects.toThrow(
      /too old .*: 0001_a.sql did not run. Run `parley migrate`/,
    );
    await run();
    await check();
    await write('0002_b.sql', 'create table b (id int)');
    await expect(check()).rejects.toThrow(/0002_b.sql did not run/);
    await write('0003_c.sql', 'create table c (id int)');
    await write('0004_d.sql', 'create table d (id int)');
    await expect(check()).rejects.toThrow(/: 0002_b.sql and 2 more did not run/);
  });

  test('that a running process would not survive are refused', async () => {
    await pool.query('update schema_compatibility set oldest_program = 1');
    await run();
    const old = await pool.connect();
    await old.query('select pg_advisory_lock_shared($1, 1)', [schemaLockClass]);
    await write('0002_expand.sql', 'alter table a add column b int');
    expect(await run()).toEqual(['0002_expand.sql']);
    await write(
      '0003_contract.sql',
      'alter table a drop column id; update schema_compatibility set oldest_program = 2',
    );
    await expect(run()).rejects.toThrow(/0003_contract.sql failed: .*migrations up to 1 /);
    await pool.query('select id from a');
    old.release(true);
    await expect.poll(() => run().catch(() => 'refused')).toEqual(['0003_contract.sql']);
  });

  test('of a version before the first release are refused, and the database is not changed', async () => {
    await run();
    await pool.query('insert into a values (1)');
    await rm(join(folder, '0001_a.sql'));
    await write('0001_new.sql', 'drop table a; create table c (id int)');
    await write('0002_new.sql', 'create table b (id int)');
    await expect(run()).rejects.toThrow(
      /0001_a.sql where this version of Parley has 0001_new.sql.*Use an empty database/,
    );
    const { rows } = await pool.query(`
      select (select array_agg(name) from migrations) as migrations, (select id from a) as id,
             to_regclass('b') as b, to_regclass('c') as c`);
    expect(rows).toEqual([{ migrations: ['0001_a.sql'], id: 1, b: null, c: null }]);
  });

  test('have no time limit that the database sets, as PostgreSQL 17 and newer can', async ({
    skip,
  }) => {
    const { rows } = await pool.query('show server_version_num');
    skip(rows[0].server_version_num < 170_000);
    await pool.query(`alter database ${connection.database} set transaction_timeout = '50ms'`);
    await write('0002_slow.sql', 'select pg_sleep(0.2)');
    const limited = new pg.Pool({ ...connection, max: 1 });
    try {
      await migrate(limited, pathToFileURL(`${folder}/`));
      expect((await limited.query('show transaction_timeout')).rows).toEqual([
        { transaction_timeout: '50ms' },
      ]);
    } finally {
      await limited.end();
    }
  });

  test('that wait for a long transaction name it, and let others use the table meanwhile', async () => {
    await run();
    await write('0002_b.sql', 'alter table a add column b int');
    const backup = await pool.connect();
    await backup.query('begin');
    await backup.query('select from a');
    const { rows: pids } = await backup.query('select pg_backend_pid() as pid');
    const waits: string[] = [];
    const ran = run({ onWait: (reason) => waits.push(reason) });
    await eventually(async () => {
      const { rows } = await pool.query(
        "select from pg_locks where relation = 'a'::regclass and not granted",
      );
      return rows.length > 0;
    });
    const endWait = (reason: string) => {
      throw new Error(`no longer: ${reason}`);
    };
    await expect(run({ onWait: endWait })).rejects.toThrow(
      /^no longer: another process migrates the database: pid \d+ /,
    );
    await eventually(async () => waits.length > 0);
    expect(waits[0]).toMatch(
      new RegExp(
        `^migration 0002_b.sql waits for a table that open transactions use: .*pid ${pids[0].pid} `,
      ),
    );
    await pool.query('insert into a values (1)');
    await backup.query('commit');
    backup.release();
    expect(await ran).toEqual(['0002_b.sql']);
    expect((await pool.query('select * from a')).rows).toEqual([{ id: 1, b: null }]);
  });

  test('that fail leave nothing behind', async () => {
    await write('0002_b.sql', 'create table b (id int); select * from nowhere');
    await expect(run()).rejects.toThrow(/0002_b.sql failed: .*nowhere/);
    const { rows } = await pool.query("select to_regclass('a') as a, to_regclass('b') as b");
    expect(rows).toEqual([{ a: 'a', b: null }]);
  });

  describe('of indexes only', () => {
    const index = '-- concurrently\ncreate index concurrently if not exists a_id on a (id);\n';

    /** Returns the process that builds the index or drops an unfinished one, and waits for a transaction to end. */
    const builder = () =>
      eventually(async () => {
        const { rows } = await pool.query(
          `select pid from pg_stat_activity
           where datname = current_database() and query ~ '^(create|drop) index' and wait_event_type = 'Lock'`,
        );
        return rows[0]?.pid as number | undefined;
      });

    const validIndexes = async () => {
      const { rows } = await pool.query(
        `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
         where indrelid = 'a'::regclass and indisvalid`,
      );
      return rows.map(({ name }) => name);
    };

    test('let others write to the table meanwhile, and are built again if they were ended', async () => {
      await run();
      await pool.query('insert into a select * from generate_series(1, 1000)');
      await write('0002_index.sql', index);
      const writer = await pool.connect();
      await writer.query('begin');
      await writer.query('insert into a values (1001)');

      const ended = expect(run()).rejects.toThrow(/0002_index.sql failed: terminating connection/);
      const first = await builder();
      await pool.query('insert into a values (1002)');
      await pool.query('select pg_terminate_backend($1)', [first]);
      await ended;
      expect(await validIndexes()).toEqual([]);
      await expect(check()).rejects.toThrow(/0002_index.sql did not run/);

      const again = run();
      expect(await builder()).not.toBe(first);
      await pool.query('insert into a values (1003)');
      await writer.query('commit');
      writer.release();
      expect(await again).toEqual(['0002_index.sql']);
      expect(await validIndexes()).toEqual(['a_id']);
      const { rows } = await pool.query('select count(*)::int as count from a where id > 0');
      expect(rows).toEqual([{ count: 1003 }]);
    });

    test('run once when processes start together, also with an older one, and can be dropped again', async () => {
      await write('0002_index.sql', index);
      await write('0003_without.sql', '-- concurrently\ndrop index concurrently if exists a_id;');
      // It waits for the lock of migrations in a statement. PostgreSQL ends its wait, or that of the migration.
      const older = async () => {
        const client = await pool.connect();
        await client.query('select pg_advisory_lock(7241990113)').catch(({ code }) => {
          expect(code).toBe('40P01');
        });
        client.release(true);
        return [];
      };
      const ran = await Promise.all([run(), older(), run(), run()]);
      expect(ran.flat().sort()).toEqual(['0001_a.sql', '0002_index.sql', '0003_without.sql']);
      expect(await validIndexes()).toEqual([]);
    });

    test('that do anything else are refused', async () => {
      for (const text of [
        'create index if not exists a_id on a (id);',
        'create index concurrently a_id on a (id);',
        'create index concurrently if not exists a_id on a (id); drop table a;',
        'create index concurrently if not exists a_id on a (id);\nalter table a add b int;',
        'drop table a;',
      ]) {
        await write('0002_index.sql', `-- concurrently\n${text}`);
        await expect(run(), text).rejects.toThrow(/0002_index.sql failed: after "-- concurrently"/);
        expect(await validIndexes(), text).toEqual([]);
      }
    });
  });
});
