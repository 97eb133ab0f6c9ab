import { createReadStream } from 'node:fs';
import type { ApiError } from '../../errors.ts';
import { inSlices } from '../../platform/at-half-pace.ts';
import { createValidatorCompiler } from '../../platform/http/validation.ts';
import { NewContact } from '../schema.ts';
import {
  type CsvColumn,
  columnOf,
  readCell,
  readName,
  readPhone,
  splitNames,
} from './csv-format.ts';
import { type CsvRecord, createCsvReader } from './read-csv.ts';

/** A row that can be a contact, with its labels by name; or why it cannot. `line` is its first. */
export type CsvRow = { line: number; cells: string[] } & (
  | { contact: CsvContact }
  | { refused: string }
);

export type RefusedRow = Extract<CsvRow, { refused: string }>;

export type CsvContact = {
  firstname: string;
  lastname: string | null;
  phone: string;
  email: string | null;
  company: string | null;
  city: string | null;
  /** Names of labels as they are written, with the spaces around them. */
  status: string | null;
  source: string | null;
  groups: string[];
};

/** The file cannot be imported at all; the message says why. */
export class UnreadableCsv extends Error {}

/** As many as a tenant can have. */
const maxGroups = 1_000;

/** A row costs its characters, and what it takes to check any row: as much as some hundred of them. */
const costOfRow = 500;
/** Of rows that are made before others get a turn: a few milliseconds. */
const costOfSlice = 50_000;
/** Read at once. Lines without a row in them cost too. */
const chunkBytes = 16 * 1024;

/**
 * Reads contacts from a CSV file, or from standard input for `-`, one by one, in the memory of a few
 * rows. The first line names the columns. It never takes more than half of the process's time.
 *
 * @param onHeadings is told the headings, and those that mean nothing to us
 * @param onBytes is told how far the file is read
 */
export async function* readContactsCsv(
  path: string,
  onHeadings: (headings: string[], ignored: string[]) => void,
  onBytes: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  const file =
    path === '-'
      ? process.stdin.setEncoding('utf8')
      : createReadStream(path, { encoding: 'utf8', highWaterMark: chunkBytes });
  const reader = createCsvReader();
  let columns: Columns | undefined;

  function* rowsOf(records: Iterable<CsvRecord>): Generator<CsvRow> {
    for (const record of records) {
      if (columns) {
        yield rowOf(columns, record);
        continue;
      }
      columns = readHeadings(record);
      const ignored = record.cells.filter((heading) => columnOf(heading) === undefined);
      onHeadings(record.cells, ignored);
    }
  }

  try {
    for await (const chunk of file) {
      onBytes(file.bytesRead);
      yield* inSlices(rowsOf(reader.read(chunk)), { costOf, maxCost: costOfSlice });
    }
    yield* inSlices(rowsOf(reader.end()), { costOf, maxCost: costOfSlice });
    if (!columns) throw new UnreadableCsv('The file is empty.');
  } finally {
    file.destroy();
  }
}

/** How much work and memory a row takes, in characters. */
export function costOf({ cells }: CsvRow): number {
  return cells.reduce((cost, cell) => cost + 1 + cell.length, costOfRow);
}

/** Where each column is in a row. */
type Columns = Map<CsvColumn, number>;

/** @throws UnreadableCsv */
function readHeadings({ cells, problem }: CsvRecord): Columns {
  if (cells.some((cell) => cell.includes('\0'))) {
    throw new UnreadableCsv(
      'The file is not UTF-8 text. In a spreadsheet, save it as "CSV UTF-8".',
    );
  }
  if (problem) throw new UnreadableCsv(`The first ${problem}.`);
  const columns: Columns = new Map();
  for (const [index, heading] of cells.entries()) {
    const column = columnOf(heading);
    if (column === undefined) continue;
    const before = columns.get(column);
    if (before !== undefined) {
      throw new UnreadableCsv(
        `The columns "${cells[before]}" and "${heading}" both mean ${column}. Leave one out or rename it.`,
      );
    }
    columns.set(column, index);
  }
  for (const needed of ['firstname', 'phone'] as const) {
    if (!columns.has(needed)) {
      throw new UnreadableCsv(
        `The first line must name the columns, and none of them is "${needed}".`,
      );
    }
  }
  return columns;
}

function rowOf(columns: Columns, { line, lastLine, cells, problem }: CsvRecord): CsvRow {
  const row = problem ? { refused: problem } : readRow(columns, cells);
  if ('refused' in row && lastLine > line) {
    row.refused += `; a quote extends the row to line ${lastLine}`;
  }
  return { line, cells, ...row };
}

const validate = createValidatorCompiler()({
  schema: NewContact,
  method: 'POST',
  url: '',
  httpPart: 'body',
}) as (data: unknown) => { error?: ApiError };

function readRow(
  columns: Columns,
  record: string[],
): { contact: CsvContact } | { refused: string } {
  const cell = (column: CsvColumn) => record[columns.get(column) ?? -1] ?? '';
  const optional = (column: CsvColumn) => readCell(cell(column)) || null;
  const contact = {
    firstname: readCell(cell('firstname')),
    lastname: optional('lastname'),
    phone: readPhone(cell('phone')),
    email: optional('email'),
    company: optional('company'),
    city: optional('city'),
  };
  const faults = { ...validate(contact).error?.errors };
  if (record.some((each) => /[\ufffd\0]/.test(each))) {
    faults.row = ['has bytes that are not valid UTF-8'];
  }
  const groups = splitNames(cell('groups'));
  if (groups.length > maxGroups) {
    faults.groups = [`must be at most ${maxGroups.toLocaleString('en')} names`];
  }
  const words = Object.entries(faults).map(([field, each]) => `${field} ${each.join(', ')}`);
  if (words.length > 0) return { refused: words.join('; ') };
  return {
    contact: {
      ...contact,
      status: readName(cell('status')),
      source: readName(cell('source')),
      groups,
    },
  };
}
