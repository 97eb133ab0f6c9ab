import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import type { Database } from './database.ts';

let db: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await createTestDatabase());
  await db.pool.query('create table things (id int)');
});
afterAll(() => drop());

const count = async () => (await db.query(sql`select * from things`)).rows.length;
const add = (id: number) => sql`insert into things values (${id})`;

describe('a transaction', () => {
  test('keeps all or nothing', async () => {
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

  test('whose connection is cut fails alone, and the pool goes on', async () => {
    const before = await count();
    const cut = db.transaction(async (tx) => {
      await tx.query(add(4));
      const { rows } = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      // The news of the loss arrives while nothing is asked.
      await new Promise((resolve) => setTimeout(resolve, 50));
      await tx.query(add(5));
    });
    await expect(cut).rejects.toThrow();
    expect(await count()).toBe(before);
    await Promise.all(Array.from({ length: 20 }, () => count()));
  });
});
