import type pg from 'pg';
import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import type { AppliedMigration, Sequence } from './format.ts';
import { describeTables, type Table } from './tables/describe-tables.ts';

/**
 * Begins a transaction that sees one state of the database to its end. The tables are locked against changes of the
 * schema before the snapshot is taken; reads and writes go on.
 *
 * @returns all tables, those that others reference first
 */
export async function beginSnapshot(client: pg.ClientBase): Promise<Table[]> {
  const known = await describeTables(client);
  await client.query('begin transaction isolation level repeatable read read only');
  await client.query(`lock table ${known.map(({ name }) => name).join(', ')} in access share mode`);
  const tables = await describeTables(client);
  if (tables.length === known.length) return tables;
  throw new Error('The schema was changed at the same moment. Run the command again.');
}

export async function appliedMigrations(db: Db): Promise<AppliedMigration[]> {
  const { rows } = await db.query<AppliedMigration>(
    sql`select name, checksum from migrations order by name`,
  );
  return rows;
}

/** Returns where the sequences stand now, which is after the snapshot: no row of it has a later id. */
export async function sequencesOf(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    select quote_ident(sequencename) as name, last_value as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`);
  return rows;
}
