import pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { Connection } from './connection.ts';
import { type Prepared, prepared } from './prepared.ts';

let connection: pg.PoolConfig;
let drop: () => Promise<void>;
let client: Connection;

beforeAll(async () => {
  ({ connection, drop } = await createTestDatabase());
});
afterAll(() => drop());

beforeEach(async () => {
  client = new Connection(connection as pg.ClientConfig);
  client.on('error', () => {});
  await client.connect();
  await client.query('create temporary table things (id int primary key, name text)');
});
afterEach(() => client.end());

/** As a pool does; but that ends a connection whose statement has failed. */
const ask = (statement: Prepared) =>
  new Promise<Pick<pg.QueryResult, 'rows' | 'rowCount'>>((resolve, reject) => {
    client.query(statement, undefined, (error: Error | null, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result),
    );
  });

test('rows are read as the driver reads them, at first and later, and described once', async () => {
  const text = `
    select 1::bigint as big, 2 as small, 1.50::numeric as exact, 0.5::float8 as half, 'a' as name,
           null::text as nothing, true as yes, '{"b": [1]}'::jsonb as body, '{1,null}'::bigint[] as bigs,
           '2026-03-01T10:20:30.456Z'::timestamptz as at, '\\x00ff'::bytea as bytes
    from generate_series(1, 2)`;
  const asked = prepared('test-types', sql`${raw(text)}`);
  const { rows: expected } = (await client.query(text)) as pg.QueryResult;
  let descriptions = 0;
  client.connection.on('rowDescription', () => descriptions++);
  for (let run = 0; run < 3; run++) {
    expect(await ask(asked)).toEqual({ rows: expected, rowCount: 2 });
  }
  expect(descriptions).toBe(1);
});

test('a statement without rows tells how many it changed, each time', async () => {
  const change = (name: string) =>
    ask(prepared('test-change', sql`update things set name = ${name} where id < 3`));
  await client.query(`insert into things values (1, 'a'), (2, 'b'), (3, 'c')`);
  expect(await change('d')).toEqual({ rows: [], rowCount: 2 });
  expect(await change('e')).toEqual({ rows: [], rowCount: 2 });
  await client.query('delete from things');
  expect(await change('f')).toEqual({ rows: [], rowCount: 0 });
});

test('a run that fails, be it the first, leaves the statement and its connection as they were', async () => {
  const add = (id: unknown) =>
    ask(prepared('test-add', sql`insert into things values (${id}) returning id`));
  await client.query('insert into things values (7)');
  await expect(add(7)).rejects.toMatchObject({ code: '23505', table: 'things' });
  expect((await add(8)).rows).toEqual([{ id: 8 }]);
  await expect(add(8)).rejects.toMatchObject({ code: '23505' });
  await expect(add('eight')).rejects.toMatchObject({ code: '22P02' });
  const circular: { itself?: unknown } = {};
  circular.itself = circular;
  await expect(add(circular)).rejects.toThrow('circular');
  expect((await add(9)).rows).toEqual([{ id: 9 }]);
});

test('a statement that cannot be parsed is sent whole the next time', async () => {
  const read = prepared('test-later', sql`select name from later`);
  await expect(ask(read)).rejects.toMatchObject({ code: '42P01' });
  await client.query(`create temporary table later as select 'a' as name`);
  expect((await ask(read)).rows).toEqual([{ name: 'a' }]);
});

test('a value that cannot be read fails its statement alone', async () => {
  const { MACADDR } = pg.types.builtins;
  pg.types.setTypeParser(MACADDR, () => {
    throw new Error('unreadable');
  });
  const read = prepared('test-unreadable', sql`select '08:00:2b:01:02:03'::macaddr as address`);
  await expect(ask(read)).rejects.toThrow('unreadable');
  expect((await ask(prepared('test-one', sql`select 1 as one`))).rows).toEqual([{ one: 1 }]);
});

test('one name stands for one statement', async () => {
  const named = (text: string) => ask({ name: 'test-twice', text, values: [] });
  await named('select 1 as one');
  await expect(named('select 2 as two')).rejects.toThrow('two statements');
  expect((await named('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a statement that the driver has run is known, and the other way round', async () => {
  const read = (id: number) => prepared('test-known', sql`select ${id}::int as id`);
  const driver = async (statement: Prepared) => (await client.query(statement)) as pg.QueryResult;
  expect((await driver(read(1))).rows).toEqual([{ id: 1 }]);
  expect((await ask(read(2))).rows).toEqual([{ id: 2 }]);
  expect((await driver(read(3))).rows).toEqual([{ id: 3 }]);
});

test('a connection that is cut fails what it was asked', async () => {
  const cut = prepared(
    'test-cut',
    sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(60)`,
  );
  await expect(ask(cut)).rejects.toThrow();
  await expect(ask(cut)).rejects.toThrow();
});
