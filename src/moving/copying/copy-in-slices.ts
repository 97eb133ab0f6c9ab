import type pg from 'pg';
import type { Table } from '../../backup/tables/describe-tables.ts';
import { throttle } from '../../platform/concurrency/throttle.ts';
import { type Copying, refuseDifference, type Sum, sumOf } from './compare-copies.ts';
import { copyTable, keyOf } from './copy-table.ts';

/** Some 30 ms of work, so that a request of another tenant hardly waits for it. */
const sliceRows = 1_000;

/**
 * Copies and compares the rows of a tenant while both cells serve other tenants: in slices in the order of the primary
 * key, with rests.
 *
 * @param onRows is called after each slice with its number of rows
 * @returns the number of rows
 */
export async function copyInSlices(
  copying: Copying,
  table: Table,
  onRows: (rows: number) => void,
): Promise<number> {
  const { reader, writer, hereId, thereId } = copying;
  const here: Sum = { count: 0, hash: 0n };
  for await (const where of slicesOf(reader, table, hereId)) {
    onRows(await throttle(() => copyTable(copying, table, { where })));
    add(here, await throttle(() => sumOf(reader, table, hereId, where)));
  }
  // Texts can have another order there, so its slices are others.
  const there: Sum = { count: 0, hash: 0n };
  for await (const where of slicesOf(writer, table, thereId)) {
    add(there, await throttle(() => sumOf(writer, table, thereId, where)));
  }
  refuseDifference(table, here, there);
  return here.count;
}

function add(total: Sum, { count, hash }: Sum): void {
  total.count += count;
  total.hash += hash;
}

/** Divides the rows of a tenant in the order of the primary key, and returns the condition of each slice. */
async function* slicesOf(
  client: pg.ClientBase,
  { name }: Table,
  tenantId: number,
): AsyncGenerator<string> {
  const keys = await keyOf(client, name);
  const isAt = (operator: string, values: string[]) =>
    `(${keys.join(', ')}) ${operator} (${values.map((each) => client.escapeLiteral(each)).join(', ')})`;
  let rest = 'true';
  for (;;) {
    const last = await lastOfSlice(client, name, tenantId, { keys, rest });
    if (!last) break;
    yield `${rest} and ${isAt('<=', last)}`;
    rest = isAt('>', last);
  }
  yield rest;
}

/** Finds the key of the last row of a slice that is not the last one. */
async function lastOfSlice(
  client: pg.ClientBase,
  name: string,
  tenantId: number,
  { keys, rest }: { keys: string[]; rest: string },
): Promise<string[] | undefined> {
  const { rows } = await client.query<{ key: string[] }>(
    `select array[${keys.map((key) => `${key}::text`).join(', ')}] as key
     from ${name} where tenant_id = $1 and ${rest}
     order by ${keys.join(', ')} offset $2 limit 1`,
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
