import { createReadStream } from 'node:fs';
import type { ApiError } from '../../errors.ts';
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
import { readCsv } from './read-csv.ts';

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

/**
 * Reads contacts from a CSV file, or from standard input for `-`, one by one, in the memory of a few
 * rows. The first line names the columns.
 *
 * @param onHeadings is told the headings, and those that mean nothing to us
 * @param onBytes is told how far the file is read
 */
export async function* readContactsCsv(
  path: string,
  onHeadings: (headings: string[], ignored: string[]) => void,
  onBytes: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  const file = path === '-' ? process.stdin.setEncoding('utf8') : createReadStream(path, 'utf8');
  let columns: (CsvColumn | undefined)[] | undefined;
  try {
    for await (const { line, lastLine, cells, problem } of readCsv(file)) {
      onBytes(file.bytesRead);
      if (!columns) {
        if (cells.some((cell) => cell.includes('\0'))) {
          throw new UnreadableCsv(
            'The file is not UTF-8 text. In a spreadsheet, save it as "CSV UTF-8".',
          );
        }
        if (problem) throw new UnreadableCsv(`The first ${problem}.`);
        columns = cells.map(columnOf);
        requireColumns(columns, cells);
        onHeadings(
          cells,
          cells.filter((_, index) => columns?.[index] === undefined),
        );
        continue;
      }
      const row = problem ? { refused: problem } : readRow(columns, cells);
      if ('refused' in row && lastLine > line) {
        row.refused += `; a quote extends the row to line ${lastLine}`;
      }
      yield { line, cells, ...row };
    }
    if (!columns) throw new UnreadableCsv('The file is empty.');
  } finally {
    file.destroy();
  }
}

function requireColumns(columns: (CsvColumn | undefined)[], headings: string[]): void {
  for (const needed of ['firstname', 'phone'] as const) {
    if (!columns.includes(needed)) {
      throw new UnreadableCsv(
        `The first line must name the columns, and none of them is "${needed}".`,
      );
    }
  }
  const again = columns.findIndex((column, index) => column && columns.indexOf(column) !== index);
  if (again === -1) return;
  const [one, other] = [headings[columns.indexOf(columns[again])], headings[again]];
  throw new UnreadableCsv(
    `The columns "${one}" and "${other}" both mean ${columns[again]}. Leave one out or rename it.`,
  );
}

const validate = createValidatorCompiler()({
  schema: NewContact,
  method: 'POST',
  url: '',
  httpPart: 'body',
}) as (data: unknown) => { error?: ApiError };

function readRow(
  columns: (CsvColumn | undefined)[],
  record: string[],
): { contact: CsvContact } | { refused: string } {
  const cell = (column: CsvColumn) => record[columns.indexOf(column)] ?? '';
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
  const words = Object.entries(faults).map(([field, each]) => `${field} ${each.join(', ')}`);
  if (words.length > 0) return { refused: words.join('; ') };
  return {
    contact: {
      ...contact,
      status: readName(cell('status')),
      source: readName(cell('source')),
      groups: splitNames(cell('groups')),
    },
  };
}
