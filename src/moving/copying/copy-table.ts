import type pg from 'pg';
import { copyIn, copyOut } from '../../backup/tables/copy-rows.ts';
import type { Table } from '../../backup/tables/describe-tables.ts';
import { columnOf } from '../../backup/tables/sealed-columns.ts';
import type { Copying } from './compare-copies.ts';

/**
 * Copies rows of a tenant from database to database. Sealed values are copied apart.
 *
 * @param where a condition for some of the rows
 * @param into another table with the same columns
 * @param more expressions whose values become further columns there
 * @returns their number
 */
export async function copyTable(
  { reader, writer, hereId, thereId }: Copying,
  { name, columns }: Table,
  {
    where = 'true',
    into = name,
    more = {},
  }: { where?: string; into?: string; more?: Record<string, string> } = {},
): Promise<number> {
  const copy = copyIn(writer, `${into} (${[...columns, ...Object.keys(more)].join(', ')})`);
  const read = columns.map((column) =>
    column === 'tenant_id' ? String(thereId) : columnOf(name, column),
  );
  // Integers from the database. COPY takes no parameters.
  const query = `(select ${[...read, ...Object.values(more)].join(', ')} from ${name} where tenant_id = ${hereId} and ${where})`;
  const count = await copyOut(reader, query, copy.put);
  const written = await copy.end();
  if (written !== count) throw new Error(`${written} of ${count} rows of ${name} were copied.`);
  return count;
}

/** Returns the columns of a table's primary key after the tenant, in the order of its index. */
export async function keyOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name
     from pg_index cross join unnest(indkey) with ordinality as part (number, place)
     join pg_attribute on attrelid = indrelid and attnum = part.number
     where indrelid = $1::regclass and indisprimary and attname <> 'tenant_id'
     order by place`,
    [table],
  );
  return rows.map(({ name }) => name);
}
