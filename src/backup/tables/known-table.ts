import { ArchiveProblem } from '../../platform/archive/read-archive.ts';
import { onOneLine } from '../../platform/outbound/one-line.ts';
import type { TableRecord } from '../format.ts';
import type { Table } from './describe-tables.ts';

/**
 * Checks a table of a file against those of this schema. The author of a file chooses its names, and they become
 * part of a statement.
 *
 * @param path that of the file, for messages
 * @throws ArchiveProblem
 */
export function knownTable(path: string, tables: Table[], record: TableRecord): Table {
  const { name, columns } = record;
  const known = tables.find((table) => table.name === name);
  if (known && columns.every((column) => known.columns.includes(column))) return { name, columns };
  throw new ArchiveProblem(
    `${path} has a table or columns that this installation does not have: ${onOneLine(JSON.stringify(record))}.`,
  );
}
