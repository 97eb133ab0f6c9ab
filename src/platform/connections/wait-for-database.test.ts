import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../test/database/database.ts';
import { openDatabase } from '../database/database.ts';
import { checkDatabase } from './check-database.ts';
import { withSettings } from './connection-settings.ts';
import { waitForDatabase } from './wait-for-database.ts';

const patience = 600_000;

test.each([
  ['refuses connections', 'connection limit 0', 'connection limit -1'],
  ['is a standby', 'set default_transaction_read_only = on', 'reset default_transaction_read_only'],
])('a database that %s is waited for', async (_what, away, back) => {
  const { connection, alter } = await alterableDatabase();
  await alter(away);
  // Each attempt has a connection of its own, because a standby ends those that it had.
  const check = async () => {
    const pool = new pg.Pool(withSettings(connection));
    await checkDatabase(pool).finally(() => pool.end());
  };
  await expect(waitForDatabase(check, 0, () => {})).rejects.toThrow();
  const waits: string[] = [];
  await waitForDatabase(check, patience, async ({ message }) => {
    waits.push(message);
    await alter(back);
  });
  expect(waits).toEqual([expect.stringMatching(/too many connections|read-only/)]);
});

test('the connection of a process for its locks is waited for', async () => {
  const { connection, alter } = await alterableDatabase();
  const db = openDatabase(connection, { onError() {} });
  onTestFinished(() => db.close());
  await alter('connection limit 0');
  const release = await waitForDatabase(
    () => db.lockForLife(1, 2),
    patience,
    () => void alter('connection limit -1'),
  );
  const { rows } = await db.pool.query(`
    select classid::int, objid::int from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and datname = current_database()`);
  expect(rows).toEqual([{ classid: 1, objid: 2 }]);
  await release();
});

test('what does not pass is not waited for', async () => {
  const { connection, drop } = await createTestDatabase();
  onTestFinished(drop);
  const pool = new pg.Pool({ ...connection, database: 'nowhere' });
  onTestFinished(() => pool.end());
  const waiting = waitForDatabase(
    () => checkDatabase(pool),
    patience,
    () => {},
  );
  await expect(waiting).rejects.toThrow('database "nowhere" does not exist');
});

/** A database that tests can make unusable. */
async function alterableDatabase() {
  const { connection, drop } = await createTestDatabase();
  const administrator = new pg.Client({ ...connection, database: 'postgres' });
  await administrator.connect();
  onTestFinished(async () => {
    await administrator.end();
    await drop();
  });
  const alter = (how: string) =>
    administrator.query(`alter database ${connection.database} ${how}`);
  return { connection, alter };
}
