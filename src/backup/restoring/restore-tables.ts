import type pg from 'pg';
import { compareRows } from '../compare-rows.ts';
import { type EndRecord, notBackedUp } from '../format.ts';
import type { BackupPart } from '../read-backup.ts';
import { copyIn } from '../tables/copy-rows.ts';
import { describeTables } from '../tables/describe-tables.ts';
import { knownTable } from '../tables/known-table.ts';

/** Tables with rows that migrations insert. */
const filledByMigrations = ['message_walks', 'schema_compatibility'];
/** Tables that can have rows although there is no tenant yet: a process writes some as soon as it starts. */
const clearedTables = new Set([...filledByMigrations, ...Object.keys(notBackedUp)]);
clearedTables.delete('migrations');

/** Returns the name of a table with rows that a restore would have to keep. */
export async function findUsedTable(client: pg.ClientBase): Promise<string | undefined> {
  for (const { name } of await describeTables(client)) {
    if (name === 'migrations' || clearedTables.has(name)) continue;
    const { rows } = await client.query(`select exists (select from ${name}) as used`);
    if (rows[0].used) return name;
  }
  return undefined;
}

/**
 * Writes the rows of a backup into the tables of the same schema, in which `findUsedTable` found nothing. It does so
 * without the triggers of the service, and builds the indexes afterwards, which is much faster than with each row.
 *
 * @param path that of the backup, for messages
 * @returns the end of the backup
 * @throws ArchiveProblem if the file is damaged
 */
export async function restoreTables(
  client: pg.ClientBase,
  path: string,
  parts: AsyncGenerator<BackupPart>,
): Promise<EndRecord> {
  const tables = await describeTables(client);
  const indexes = await dropIndexes(client);
  for (const { name } of tables) {
    await client.query(`alter table ${name} disable trigger user`);
    if (clearedTables.has(name)) await client.query(`delete from ${name}`);
  }
  const rows: Record<string, number> = {};
  let copying: { name: string; copy: ReturnType<typeof copyIn> } | undefined;
  let end: EndRecord | undefined;
  const finish = async () => {
    if (copying) rows[copying.name] = await copying.copy.end();
    copying = undefined;
  };
  for await (const part of parts) {
    if ('data' in part) {
      await copying!.copy.put(part.data);
      continue;
    }
    await finish();
    if (part.record.kind === 'table') {
      const { name, columns } = knownTable(path, tables, part.record);
      copying = { name, copy: copyIn(client, `${name} (${columns.join(', ')})`) };
    } else end = part.record;
  }
  compareRows(path, rows, end);
  for (const text of indexes) await client.query(text);
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
  return end;
}

/**
 * Drops the indexes that no constraint needs.
 *
 * @returns the statements that create them again, with the settings of their columns
 */
async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; create: string; settings: string[] }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as create,
           array(
             select format('alter index %s alter column %s set statistics %s',
                           indexrelid::regclass, attnum, attstattarget)
             from pg_attribute where attrelid = indexrelid and attstattarget >= 0) as settings
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace in (current_schema()::regnamespace, 'auth'::regnamespace)
      and not exists (select from pg_constraint where conindid = indexrelid)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.flatMap(({ create, settings }) => [create, ...settings]);
}
