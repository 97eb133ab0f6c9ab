import type pg from 'pg';
import { sealedColumns } from '../backup/sealed-columns.ts';
import type { Table } from '../platform/database/describe-tables.ts';
import type { Route } from './route.ts';

type Sum = { count: number; hash: string };

/**
 * Compares all rows of a tenant in two databases: how many each table has, and a hash of their values.
 *
 * @returns the number of rows
 * @throws Error if they differ
 */
export async function compareCopies(route: Route, tables: Table[]): Promise<number> {
  let total = 0;
  for (const table of tables) {
    total += await compareRowsOf(route, table);
  }
  return total;
}

/**
 * Compares rows of a tenant in one table.
 *
 * @param only conditions for some of the rows, in each database
 * @returns the number of rows
 */
export async function compareRowsOf(
  { source, target, from, to }: Route,
  table: Table,
  only = { source: 'true', target: 'true' },
): Promise<number> {
  const [here, there] = await Promise.all([
    sumOf(source, table, from, only.source),
    sumOf(target, table, to, only.target),
  ]);
  if (here.count === there.count && here.hash === there.hash) return here.count;
  throw new Error(
    `The copy differs in ${table.name}: ${there.count} rows instead of ${here.count}, or other values.`,
  );
}

async function sumOf(
  client: pg.ClientBase,
  { name, columns }: Table,
  tenantId: number,
  only: string,
): Promise<Sum> {
  const compared = columns.filter(
    (column) =>
      column !== 'tenant_id' &&
      !sealedColumns.some((each) => each.table === name && each.column === column),
  );
  const { rows } = await client.query<Sum>(
    `select count(*)::float8 as count,
            coalesce(sum(hashtextextended(row(${compared.join(', ')})::text, 0)), 0)::text as hash
     from ${name} where tenant_id = $1 and ${only}`,
    [tenantId],
  );
  return rows[0]!;
}
