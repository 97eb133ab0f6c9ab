import type pg from 'pg';
import { throttle } from '../platform/concurrency/throttle.ts';
import type { Table } from '../platform/database/describe-tables.ts';
import { type Copying, compareRowsOf } from './compare-copies.ts';
import { copyTable, keyOf } from './copy-table.ts';

/** Some 30 ms of work, so that a request of another tenant hardly waits for it. */
const sliceRows = 1_000;

/**
 * Copies and compares the rows of a tenant while both cells serve other tenants: in slices in the order of the primary
 * key, with rests.
 *
 * @param table has a primary key of the tenant and one more column
 * @param onRows is called after each slice with its number of rows
 */
export async function copyInSlices(
  copying: Copying,
  table: Table,
  onRows: (rows: number) => void,
): Promise<void> {
  const { reader, hereId } = copying;
  const key = (await keyOf(reader, table.name)).find((column) => column !== 'tenant_id')!;
  let rest: string | undefined = 'true';
  while (rest !== undefined) {
    const last: string | undefined = await lastOfSlice(reader, table.name, hereId, { key, rest });
    const isBefore: string =
      last === undefined ? 'true' : `${key} <= ${reader.escapeLiteral(last)}`;
    const where = `${rest} and ${isBefore}`;
    onRows(await throttle(() => copyTable(copying, table, where)));
    await throttle(() => compareRowsOf(copying, table, { here: where, there: where }));
    rest = last === undefined ? undefined : `${key} > ${reader.escapeLiteral(last)}`;
  }
}

/** Finds the key of the last row of a slice that is not the last one. */
async function lastOfSlice(
  client: pg.ClientBase,
  name: string,
  tenantId: number,
  { key, rest }: { key: string; rest: string },
): Promise<string | undefined> {
  const { rows } = await client.query<{ key: string }>(
    `select ${key}::text as key from ${name} where tenant_id = $1 and ${rest}
     order by ${key} offset $2 limit 1`,
    [tenantId, sliceRows - 1],
  );
  return rows[0]?.key;
}

/** Estimates from PostgreSQL's statistics how many rows a tenant has in some tables, to show progress. */
export async function estimateRowsOf(
  client: pg.ClientBase,
  tables: Table[],
  tenantId: number,
): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    // An integer from the database. EXPLAIN takes no parameters.
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      `explain (format json) select from ${name} where tenant_id = ${tenantId}`,
    );
    total += rows[0]!['QUERY PLAN'][0].Plan['Plan Rows'];
  }
  return total;
}
