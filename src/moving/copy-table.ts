import type pg from 'pg';
import { columnOf } from '../backup/sealed-columns.ts';
import { copyIn, copyOut } from '../platform/database/copy-rows.ts';
import type { Table } from '../platform/database/describe-tables.ts';
import { type Copying, compareRowsOf } from './compare-copies.ts';

/**
 * Copies rows of a tenant from database to database. Sealed values are copied apart.
 *
 * @param where a condition for some of the rows
 * @returns their number
 */
export function copyTable(copying: Copying, table: Table, where = 'true'): Promise<number> {
  return pipe(copying, table, { into: table.name, where });
}

/**
 * Brings the rows of a table that was copied and compared earlier up to date, and compares those that changed.
 *
 * @param since the id of the oldest transaction that the earlier copy could not see. Rows that were written by this one
 *   or a later one may have changed.
 * @returns the number of all rows
 */
export async function copyChanges(copying: Copying, table: Table, since: string): Promise<number> {
  const { reader, writer, hereId, thereId } = copying;
  const { name } = table;
  const keys = await keyOf(writer, name);
  const changed = `changed_${name}`;
  await writer.query(`create temp table ${changed} (like ${name}) on commit drop`);
  const where = `age(xmin) <= age('${since}'::xid8::xid)`;
  await pipe(copying, table, { into: changed, where });
  const columns = table.columns.join(', ');
  const others = table.columns.filter((column) => !keys.includes(column));
  await writer.query(
    `insert into ${name} (${columns}) overriding system value select ${columns} from ${changed}
     on conflict (${keys.join(', ')}) do update set
       (${others.join(', ')}) = row(${others.map((column) => `excluded.${column}`).join(', ')})`,
  );
  const [here, there] = await Promise.all([
    countRows(reader, name, hereId),
    countRows(writer, name, thereId),
  ]);
  if (here !== there) await deleteGone(copying, name, keys);
  const key = keys.join(', ');
  const isChanged = `(${key}) in (select ${key} from ${changed})`;
  await compareRowsOf(copying, table, { here: where, there: isChanged });
  if ((await countRows(writer, name, thereId)) === here) return here;
  throw new Error(`The copy has another number of rows of ${name}.`);
}

/** Deletes rows that were copied earlier, and have been deleted since. */
async function deleteGone(
  { reader, writer, hereId, thereId }: Copying,
  name: string,
  keys: string[],
) {
  const known = `known_${name}`;
  const columns = keys.map((key) => (key === 'tenant_id' ? String(thereId) : key)).join(', ');
  await writer.query(
    `create temp table ${known} on commit drop as select ${keys.join(', ')} from ${name} limit 0`,
  );
  const copy = copyIn(writer, known);
  await copyOut(reader, `(select ${columns} from ${name} where tenant_id = ${hereId})`, copy.put);
  await copy.end();
  await writer.query(
    `delete from ${name} where tenant_id = $1
       and (${keys.join(', ')}) in (
         select ${keys.join(', ')} from ${name} where tenant_id = $1
         except select ${keys.join(', ')} from ${known})`,
    [thereId],
  );
}

async function pipe(
  { reader, writer, hereId, thereId }: Copying,
  { name, columns }: Table,
  { into, where }: { into: string; where: string },
): Promise<number> {
  const copy = copyIn(writer, `${into} (${columns.join(', ')})`);
  const read = columns.map((column) =>
    column === 'tenant_id' ? String(thereId) : columnOf(name, column),
  );
  // Integers from the database. COPY takes no parameters.
  const query = `(select ${read.join(', ')} from ${name} where tenant_id = ${hereId} and ${where})`;
  const count = await copyOut(reader, query, copy.put);
  const written = await copy.end();
  if (written !== count) throw new Error(`${written} of ${count} rows of ${name} were copied.`);
  return count;
}

/** Returns the columns of a table's primary key. */
export async function keyOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
     where indrelid = $1::regclass and indisprimary`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function countRows(client: pg.ClientBase, table: string, tenantId: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${table} where tenant_id = $1`,
    [tenantId],
  );
  return rows[0]!.count;
}
