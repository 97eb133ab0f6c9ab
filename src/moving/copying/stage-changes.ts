import type pg from 'pg';
import { copyIn, copyOut } from '../../backup/tables/copy-rows.ts';
import type { Table } from '../../backup/tables/describe-tables.ts';
import { type Copying, hashOf } from './compare-copies.ts';
import { copyTable, keyOf } from './copy-table.ts';
import { lateColumns } from './early-tables.ts';

/** What the copy of the early tables has. */
export type CopyState = {
  /** The number of rows of each table. */
  counts: ReadonlyMap<string, number>;
  /**
   * The id of the oldest transaction that may not have ended when they were read. A row that the copy has not seen was
   * written by this one or a later one, whenever that committed. Ids of subtransactions are later than theirs.
   */
  since: string;
};

/** What has become of a table since it was copied. */
export type Changes = {
  table: Table;
  /** Its primary key. */
  keys: string[];
  /** All rows here. */
  count: number;
  changedRows: number;
  /** The temporary table there that has the rows which changed or are new, each with its hash here. */
  stagingTable: string;
};

/**
 * Copies the rows that may have changed into temporary tables, and deletes rows there that are gone here. All tables
 * are read before one of them is written: a later row may have the phone of one that is gone.
 *
 * @param tables in the order of their references
 */
export async function stageChanges(
  copying: Copying,
  tables: Table[],
  { counts, since }: CopyState,
): Promise<Changes[]> {
  const found: Changes[] = [];
  for (const table of tables) found.push(await stageTable(copying, table, since));
  for (const changes of found.toReversed()) {
    const { table, count } = changes;
    const stillThere = count - (await countNew(copying.writer, changes));
    if (stillThere < counts.get(table.name)!) await deleteGone(copying, changes);
  }
  return found;
}

async function stageTable(copying: Copying, table: Table, since: string): Promise<Changes> {
  const { reader, writer, hereId } = copying;
  const { name, columns } = table;
  let where = `age(xmin) <= age('${since}'::xid8::xid)`;
  const late = lateColumns[name];
  if (late && columns.includes(late)) where = `(${where} or ${late} is not null)`;
  const { rows } = await reader.query<{ count: number; changed: number }>(
    `select count(*)::float8 as count, (count(*) filter (where ${where}))::float8 as changed
     from ${name} where tenant_id = $1`,
    [hereId],
  );
  const { count, changed: changedRows } = rows[0]!;
  const stagingTable = `changed_${name}`;
  if (changedRows > 0) {
    await writer.query(
      `create temp table ${stagingTable} as select ${columns.join(', ')}, 0::bigint as row_hash from ${name} limit 0`,
    );
    await copyTable(copying, table, {
      where,
      into: stagingTable,
      more: { row_hash: hashOf(table) },
    });
    await writer.query(`analyze ${stagingTable}`);
  }
  const keys = ['tenant_id', ...(await keyOf(writer, name))];
  return { table, keys, count, changedRows, stagingTable };
}

async function countNew(
  client: pg.ClientBase,
  { table, keys, changedRows, stagingTable }: Changes,
): Promise<number> {
  if (changedRows === 0) return 0;
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${stagingTable} where not exists (
       select from ${table.name} known where ${areSame('known', stagingTable, keys)})`,
  );
  return rows[0]!.count;
}

/** Deletes rows that were copied early, and have been deleted since. */
async function deleteGone({ reader, writer, hereId, thereId }: Copying, { table, keys }: Changes) {
  const { name } = table;
  const present = `present_${name}`;
  const read = keys.map((key) => (key === 'tenant_id' ? String(thereId) : key)).join(', ');
  await writer.query(
    `create temp table ${present} as select ${keys.join(', ')} from ${name} limit 0`,
  );
  const copy = copyIn(writer, present);
  await copyOut(reader, `(select ${read} from ${name} where tenant_id = ${hereId})`, copy.put);
  await copy.end();
  await writer.query(`analyze ${present}`);
  await writer.query(
    `delete from ${name} where tenant_id = $1 and not exists (
       select from ${present} where ${areSame(name, present, keys)})`,
    [thereId],
  );
  await writer.query(`drop table ${present}`);
}

/** A condition: rows of two tables have the same primary key. */
export function areSame(left: string, right: string, keys: string[]): string {
  return keys.map((key) => `${left}.${key} = ${right}.${key}`).join(' and ');
}
