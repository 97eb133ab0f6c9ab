import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { freePort } from '../../test/service.ts';
import { checkDatabase } from './check-database.ts';

const pools: pg.Pool[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});

function connect(settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...inject('postgres'), ...settings });
  pools.push(pool);
  return pool;
}

test('a database of another encoding is refused, with how to make a right one', async () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = connect({ database: 'postgres' });
  await server.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
  try {
    const pool = connect({ database: name });
    await expect(checkDatabase(pool)).rejects.toThrow(
      /^The database has the encoding SQL_ASCII; Parley needs UTF8: .*encoding 'UTF8' template template0\.$/,
    );
    await pools.pop()!.end();
  } finally {
    await server.query(`drop database ${name}`);
  }
});

test('one that is away, or not there, is named as what is missing', async () => {
  const port = await freePort();
  await expect(checkDatabase(connect({ host: '127.0.0.1', port }))).rejects.toThrow(
    `No connection to the database: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
  await expect(checkDatabase(connect({ database: 'nowhere' }))).rejects.toThrow(
    'No connection to the database: database "nowhere" does not exist',
  );
});
