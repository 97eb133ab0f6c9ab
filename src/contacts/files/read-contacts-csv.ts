import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse';
import type { ApiError } from '../../errors.ts';
import { checkPhone } from '../../platform/phone.ts';
import { createValidatorCompiler } from '../../platform/validation.ts';
import { NewContact } from '../schema.ts';
import { type CsvColumn, columnOf, readCell, readPhone } from './csv-format.ts';

/** A row that can be a contact, with its labels by name; or why it cannot. */
export type CsvRow = { line: number; cells: string[] } & (
  | { contact: CsvContact }
  | { refused: string }
);

export type CsvContact = {
  firstname: string;
  lastname: string | null;
  phone: string;
  email: string | null;
  company: string | null;
  city: string | null;
  status: string | null;
  source: string | null;
  groups: string[];
};

/** The file cannot be imported at all; the message says why. */
export class UnreadableCsv extends Error {}

/**
 * Reads contacts from a CSV file, one by one, in the memory of a few rows. The first line names the
 * columns; comma, semicolon and tab are told apart by it.
 *
 * @param onHeadings is told the headings, and those that mean nothing to us
 * @param onBytes is told how far the file is read
 */
export async function* readContactsCsv(
  path: string,
  onHeadings: (headings: string[], ignored: string[]) => void,
  onBytes: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  const delimiter = await readDelimiter(path);
  const file = createReadStream(path);
  const unreadable: CsvRow[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: 1_000_000,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      const line = Number(error?.lines ?? 0);
      unreadable.push({ line, cells: [], refused: `is not readable as CSV: ${error?.message}` });
      return undefined;
    },
  });
  file.on('error', (error) => parser.destroy(error));
  file.pipe(parser);

  let columns: (CsvColumn | undefined)[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      onBytes(file.bytesRead);
      if (!columns) {
        columns = record.map(columnOf);
        requireColumns(columns);
        onHeadings(
          record,
          record.filter((_, index) => columns?.[index] === undefined),
        );
        continue;
      }
      yield* unreadable.splice(0);
      yield { line: info.lines, cells: record, ...readRow(columns, record) };
    }
    if (!columns) throw new UnreadableCsv('The file is empty.');
    yield* unreadable.splice(0);
  } finally {
    file.destroy();
  }
}

async function readDelimiter(path: string): Promise<string> {
  const file = await open(path).catch((error: Error) => {
    throw new UnreadableCsv(`${path} cannot be read: ${error.message}`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/, 1);
    const counts = [',', ';', '\t'].map((each) => line.split(each).length);
    return [',', ';', '\t'][counts.indexOf(Math.max(...counts))]!;
  } finally {
    await file.close();
  }
}

function requireColumns(columns: (CsvColumn | undefined)[]): void {
  for (const needed of ['firstname', 'phone'] as const) {
    if (!columns.includes(needed)) {
      throw new UnreadableCsv(
        `The first line must name the columns, and none of them is "${needed}".`,
      );
    }
  }
  const twice = columns.find((column, index) => column && columns.indexOf(column) !== index);
  if (twice) throw new UnreadableCsv(`Two columns are named "${twice}".`);
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
  const impossible = faults.phone ? undefined : checkPhone(contact.phone);
  if (impossible) faults.phone = [impossible];
  if (record.some((each) => each.includes('\ufffd'))) {
    faults.row = ['holds bytes that are not UTF-8 text'];
  }
  const words = Object.entries(faults).map(([field, each]) => `${field} ${each.join(', ')}`);
  if (words.length > 0) return { refused: words.join('; ') };
  const groups = cell('groups').split(/[;|]/).map(readCell).filter(Boolean);
  return {
    contact: { ...contact, status: optional('status'), source: optional('source'), groups },
  };
}
