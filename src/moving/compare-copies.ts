import type pg from 'pg';
import { sealedColumns } from '../backup/sealed-columns.ts';
import type { Table } from '../platform/database/describe-tables.ts';

/** The connections of a copy to the cell that it reads and to the one that it writes, and the tenant's ids there. */
export type Copying = { reader: pg.Client; writer: pg.Client; hereId: number; thereId: number };

type Sum = { count: number; hash: string };

/**
 * Compares all rows of a tenant in two databases: how many each table has, and a hash of their values.
 *
 * @returns the number of rows
 * @throws Error if they differ
 */
export async function compareCopies(copying: Copying, tables: Table[]): Promise<number> {
  let total = 0;
  for (const table of tables) {
    total += await compareRowsOf(copying, table);
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
  { reader, writer, hereId, thereId }: Copying,
  table: Table,
  only = { here: 'true', there: 'true' },
): Promise<number> {
  const [here, there] = await Promise.all([
    sumOf(reader, table, hereId, only.here),
    sumOf(writer, table, thereId, only.there),
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
