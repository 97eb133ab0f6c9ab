import { readdirSync } from 'node:fs';
import type pg from 'pg';
import sql from 'sql-template-tag';
import { locksWithId, schemaLockClass } from '../database/advisory-locks.ts';

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);

/** The number of a migration, such as 20 of `0020_schema_compatibility.sql`. */
export function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

/** The schema that this program was written for: the number of its newest migration. */
export const schemaVersion = Math.max(
  ...readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .map(numberOf),
);

/** Returns the number of the oldest program that can use the database; 0 if none is recorded. */
export async function findOldestProgram(client: pg.Pool | pg.ClientBase): Promise<number> {
  const known = await client.query(
    "select to_regclass('schema_compatibility') is not null as known",
  );
  if (!known.rows[0].known) return 0;
  const { rows } = await client.query<{ oldest_program: number }>(
    'select oldest_program from schema_compatibility',
  );
  return rows[0]?.oldest_program ?? 0;
}

/** Returns the versions of running processes that are older than `version`. */
export async function findOlderProcesses(
  client: pg.Pool | pg.ClientBase,
  version: number,
): Promise<number[]> {
  const { rows } = await client.query<{ version: number }>(sql`
    select distinct objid::int as version from ${locksWithId} as locks
    where classid = ${schemaLockClass} and objid < ${version}
    order by 1`);
  return rows.map((row) => row.version);
}

/** Above those of all programs. */
const maxVersion = 2 ** 31 - 1;

/** Whether a process of the service runs, of whatever version. */
export async function isServed(client: pg.ClientBase): Promise<boolean> {
  return (await findOlderProcesses(client, maxVersion)).length > 0;
}
