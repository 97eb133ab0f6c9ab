import type pg from 'pg';
import { beginSnapshot } from '../../backup/snapshot.ts';
import { copyIn, copyOut } from '../../platform/database/copy-rows.ts';
import type { Table } from '../../platform/database/describe-tables.ts';
import {
  type Copying,
  compareRowsOf,
  hashOf,
  readSum,
  refuseDifference,
} from './compare-copies.ts';
import { copyTable, keyOf } from './copy-table.ts';
import { lateColumns, passedOn } from './early-tables.ts';
import { oldestTransaction } from './oldest-transaction.ts';

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
  changed: string;
};

/** Copies what has changed so far, while the tenant serves, so that less is left for the hold. */
export async function catchUp(
  copying: Copying,
  tables: Table[],
  state: CopyState,
): Promise<CopyState> {
  await beginSnapshot(copying.reader);
  const since = await oldestTransaction(copying.reader);
  const changes = await readChanges(copying, tables, state);
  for (const each of changes) await writeChanges(copying, each);
  for (const each of changes) await compareChanges(copying, each, { isLast: false });
  await copying.reader.query('commit');
  return { since, counts: new Map(changes.map(({ table, count }) => [table.name, count])) };
}

/**
 * Reads the rows that may have changed since they were copied, and deletes those there that are gone. All tables are
 * read before one of them is written: a later row may have the phone of one that is gone.
 *
 * @param tables in the order of their references
 */
export async function readChanges(
  copying: Copying,
  tables: Table[],
  { counts, since }: CopyState,
): Promise<Changes[]> {
  const found: Changes[] = [];
  for (const table of tables) found.push(await readChanged(copying, table, since));
  for (const changes of found.toReversed()) {
    const { table, count } = changes;
    const left = count - (await countNew(copying.writer, changes));
    if (left < counts.get(table.name)!) await deleteGone(copying, changes);
  }
  return found;
}

async function readChanged(copying: Copying, table: Table, since: string): Promise<Changes> {
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
  const changed = `changed_${name}`;
  if (changedRows > 0) {
    await writer.query(
      `create temp table ${changed} as select ${columns.join(', ')}, 0::bigint as row_hash from ${name} limit 0`,
    );
    await copyTable(copying, table, { where, into: changed, more: { row_hash: hashOf(table) } });
    await writer.query(`analyze ${changed}`);
  }
  const keys = ['tenant_id', ...(await keyOf(writer, name))];
  return { table, keys, count, changedRows, changed };
}

async function countNew(
  client: pg.ClientBase,
  { table, keys, changedRows, changed }: Changes,
): Promise<number> {
  if (changedRows === 0) return 0;
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${changed} where not exists (
       select from ${table.name} known where ${areSame('known', changed, keys)})`,
  );
  return rows[0]!.count;
}

/** Deletes rows that were copied early, and have been deleted since. */
async function deleteGone({ reader, writer, hereId, thereId }: Copying, { table, keys }: Changes) {
  const { name } = table;
  const left = `left_${name}`;
  const read = keys.map((key) => (key === 'tenant_id' ? String(thereId) : key)).join(', ');
  await writer.query(`create temp table ${left} as select ${keys.join(', ')} from ${name} limit 0`);
  const copy = copyIn(writer, left);
  await copyOut(reader, `(select ${read} from ${name} where tenant_id = ${hereId})`, copy.put);
  await copy.end();
  await writer.query(`analyze ${left}`);
  await writer.query(
    `delete from ${name} where tenant_id = $1 and not exists (
       select from ${left} where ${areSame(name, left, keys)})`,
    [thereId],
  );
  await writer.query(`drop table ${left}`);
}

/** Brings the rows of a table up to date, after those of the tables that it refers to. */
export async function writeChanges(
  { writer }: Copying,
  { table, keys, changedRows, changed }: Changes,
): Promise<void> {
  if (changedRows === 0) return;
  const { name } = table;
  const placeholders = Object.entries(passedOn[name] ?? {});
  if (placeholders.length > 0) {
    const listOf = (from: string) => placeholders.map(([column]) => `${from}.${column}`).join(', ');
    await writer.query(
      `update ${name} set ${placeholders.map(([column, value]) => `${column} = ${value}`).join(', ')}
       from ${changed}
       where ${areSame(name, changed, keys)} and (${listOf(name)}) is distinct from (${listOf(changed)})`,
    );
  }
  const columns = table.columns.join(', ');
  const others = table.columns.filter((column) => !keys.includes(column));
  const replaced = others.map((column) => `${column} = excluded.${column}`).join(', ');
  await writer.query(
    `insert into ${name} (${columns}) overriding system value select ${columns} from ${changed}
     on conflict (${keys.join(', ')}) do ${replaced ? `update set ${replaced}` : 'nothing'}`,
  );
}

/**
 * Compares a table that was brought up to date: the rows that changed, and the number of all. The others were compared
 * when they were copied, and nothing has written them since. In tables with placeholders or late columns, all rows are
 * compared again.
 *
 * @param isLast whether no further changes follow. Only then are all rows compared
 * @returns the number of rows
 * @throws Error if the copy differs
 */
export async function compareChanges(
  copying: Copying,
  changes: Changes,
  { isLast }: { isLast: boolean },
): Promise<number> {
  const { writer, thereId } = copying;
  const { table, keys, count, changedRows, changed } = changes;
  const { name } = table;
  const isWhole = name in passedOn || name in lateColumns;
  if (isWhole && isLast) await compareRowsOf(copying, table);
  else if ((await countRows(writer, name, thereId)) !== count) {
    throw new Error(`The copy has another number of rows of ${name}.`);
  }
  if (changedRows === 0) return count;
  if (!isWhole) {
    const here = await readSum(writer, 'row_hash', changed);
    const same = `${name} join ${changed} on ${areSame(name, changed, keys)}`;
    refuseDifference(table, here, await readSum(writer, hashOf(table), same));
  }
  await writer.query(`drop table ${changed}`);
  return count;
}

function areSame(left: string, right: string, keys: string[]): string {
  return keys.map((key) => `${left}.${key} = ${right}.${key}`).join(' and ');
}

async function countRows(client: pg.ClientBase, table: string, tenantId: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${table} where tenant_id = $1`,
    [tenantId],
  );
  return rows[0]!.count;
}
