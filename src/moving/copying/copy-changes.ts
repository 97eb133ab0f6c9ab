import type pg from 'pg';
import { beginSnapshot } from '../../backup/snapshot.ts';
import type { Table } from '../../backup/tables/describe-tables.ts';
import {
  type Copying,
  compareRowsOf,
  hashOf,
  readSum,
  refuseDifference,
} from './compare-copies.ts';
import { lateColumns, passedOn } from './early-tables.ts';
import { oldestTransaction } from './oldest-transaction.ts';
import { areSame, type Changes, type CopyState, stageChanges } from './stage-changes.ts';

/** Copies what has changed so far, while the tenant serves, so that less is left for the hold. */
export async function catchUp(
  copying: Copying,
  tables: Table[],
  state: CopyState,
): Promise<CopyState> {
  await beginSnapshot(copying.reader);
  const since = await oldestTransaction(copying.reader);
  const changes = await stageChanges(copying, tables, state);
  for (const each of changes) await writeChanges(copying, each);
  for (const each of changes) await compareChanges(copying, each, { isLast: false });
  await copying.reader.query('commit');
  return { since, counts: new Map(changes.map(({ table, count }) => [table.name, count])) };
}

/** Brings the rows of a table up to date, after those of the tables that it refers to. */
export async function writeChanges(
  { writer }: Copying,
  { table, keys, changedRows, stagingTable }: Changes,
): Promise<void> {
  if (changedRows === 0) return;
  const { name } = table;
  const placeholders = Object.entries(passedOn[name] ?? {});
  if (placeholders.length > 0) {
    const listOf = (from: string) => placeholders.map(([column]) => `${from}.${column}`).join(', ');
    await writer.query(
      `update ${name} set ${placeholders.map(([column, value]) => `${column} = ${value}`).join(', ')}
       from ${stagingTable}
       where ${areSame(name, stagingTable, keys)}
         and (${listOf(name)}) is distinct from (${listOf(stagingTable)})`,
    );
  }
  const columns = table.columns.join(', ');
  const others = table.columns.filter((column) => !keys.includes(column));
  const replaced = others.map((column) => `${column} = excluded.${column}`).join(', ');
  await writer.query(
    `insert into ${name} (${columns}) overriding system value select ${columns} from ${stagingTable}
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
  const { table, keys, count, changedRows, stagingTable } = changes;
  const { name } = table;
  const isWhole = name in passedOn || name in lateColumns;
  if (isWhole && isLast) await compareRowsOf(copying, table);
  else if ((await countRows(writer, name, thereId)) !== count) {
    throw new Error(`The copy has another number of rows of ${name}.`);
  }
  if (changedRows === 0) return count;
  if (!isWhole) {
    const here = await readSum(writer, 'row_hash', stagingTable);
    const same = `${name} join ${stagingTable} on ${areSame(name, stagingTable, keys)}`;
    refuseDifference(table, here, await readSum(writer, hashOf(table), same));
  }
  await writer.query(`drop table ${stagingTable}`);
  return count;
}

async function countRows(client: pg.ClientBase, table: string, tenantId: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${table} where tenant_id = $1`,
    [tenantId],
  );
  return rows[0]!.count;
}
