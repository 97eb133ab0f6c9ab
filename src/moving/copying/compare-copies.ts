import type pg from 'pg';
import type { Table } from '../../backup/tables/describe-tables.ts';
import { sealedColumns } from '../../backup/tables/sealed-columns.ts';

/** The connections of a copy to the cell that it reads and to the one that it writes, and the tenant's ids there. */
export type Copying = { reader: pg.Client; writer: pg.Client; hereId: number; thereId: number };

/** The number of rows and the sum of the hashes of their values. The sum does not depend on the order of the rows. */
export type Sum = { count: number; hash: bigint };

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
  refuseDifference(table, here, there);
  return here.count;
}

/** @throws Error if the rows of a table, or some of them, are not the same in both databases */
export function refuseDifference({ name }: Table, here: Sum, there: Sum): void {
  if (here.count === there.count && here.hash === there.hash) return;
  throw new Error(
    `The copy differs in ${name}: ${there.count} rows instead of ${here.count}, or other values.`,
  );
}

/** Adds up rows of a tenant that pass a condition. */
export async function sumOf(
  client: pg.ClientBase,
  table: Table,
  tenantId: number,
  only: string,
): Promise<Sum> {
  return readSum(client, hashOf(table), `${table.name} where tenant_id = ${tenantId} and ${only}`);
}

/**
 * @param hash the expression of each row's hash
 * @param from the rows, as SQL after `from`
 */
export async function readSum(client: pg.ClientBase, hash: string, from: string): Promise<Sum> {
  const { rows } = await client.query<{ count: number; hash: string }>(
    `select count(*)::float8 as count, coalesce(sum(${hash}), 0)::text as hash from ${from}`,
  );
  const { count, hash: sum } = rows[0]!;
  return { count, hash: BigInt(sum) };
}

/** Returns the expression of the hash of a row. The id of the tenant and sealed values differ between cells. */
export function hashOf({ name, columns }: Table): string {
  const compared = columns.filter(
    (column) =>
      column !== 'tenant_id' &&
      !sealedColumns.some((each) => each.table === name && each.column === column),
  );
  return `hashtextextended(row(${compared.map((column) => `${name}.${column}`).join(', ')})::text, 0)`;
}
