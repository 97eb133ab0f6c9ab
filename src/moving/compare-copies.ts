import type pg from 'pg';
import { sealedColumns } from '../backup/sealed-columns.ts';
import type { Table } from '../platform/database/describe-tables.ts';
import type { Route } from './copy-table.ts';

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
    const [here, there] = await Promise.all([
      sumOf(route.source, table, route.from),
      sumOf(route.target, table, route.to),
    ]);
    if (here.count !== there.count || here.hash !== there.hash) {
      throw new Error(
        `The copy differs in ${table.name}: ${there.count} rows instead of ${here.count}, or other values.`,
      );
    }
    total += here.count;
  }
  return total;
}

async function sumOf(client: pg.ClientBase, { name, columns }: Table, tenantId: number) {
  const compared = columns.filter(
    (column) =>
      column !== 'tenant_id' &&
      !sealedColumns.some((each) => each.table === name && each.column === column),
  );
  const { rows } = await client.query<Sum>(
    `select count(*)::float8 as count,
            coalesce(sum(hashtextextended(row(${compared.join(', ')})::text, 0)), 0)::text as hash
     from ${name} where tenant_id = $1`,
    [tenantId],
  );
  return rows[0]!;
}
