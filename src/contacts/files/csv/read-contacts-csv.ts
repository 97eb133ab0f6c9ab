import { createReadStream } from 'node:fs';
import { inSlices } from '../../../platform/concurrency/throttle.ts';
import type { ApiError, FieldErrors } from '../../../platform/errors/api-error.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';
import { createValidatorCompiler } from '../../../platform/http/validation.ts';
import { isPhone } from '../../../platform/values/phones/phone.ts';
import { cutText } from '../../../platform/values/texts/cut-text.ts';
import { isVisible } from '../../../platform/values/texts/name.ts';
import { byField, type ContactTexts, optionalFieldNames } from '../../fields/contact-fields.ts';
import type { Metadata } from '../../fields/metadata.ts';
import { ContactRow } from '../../schema.ts';
import { extendedTo, ofRow, type RefusedRow, type RowFault } from '../importing/refused-row.ts';
import {
  type CsvColumn,
  columnOf,
  readCell,
  readId,
  readName,
  readPhone,
  splitNames,
} from './csv-format.ts';
import { type CsvRecord, createCsvReader } from './read-csv.ts';

/** A row with its contact, or the reasons why it has none, and with the names of its labels if they can be read. */
export type CsvRow =
  | { line: number; cells: string[]; contact: CsvContact; labels: CsvLabels }
  | (RefusedRow & { labels?: CsvLabels });

export type CsvContact = NamedOrNot & { metadata: Metadata | null };

/** Names of labels as they are written, with the spaces around them. */
export type CsvLabels = {
  status: string | null;
  source: string | null;
  groups: string[];
  /** The names between commas, for the case that `groups` is no group. */
  groupsByCommas: string[];
};

/** The fields of a row, whose first name is null if it has none. */
export type NamedOrNot = Omit<ContactTexts, 'firstname'> & { firstname: string | null };

/** A heading and the column that it means. */
export type ReadColumn = { heading: string; column: CsvColumn };

/** Thrown if the file cannot be imported at all; the message says why. */
export class UnreadableCsv extends Error {
  readonly fault: Fault;

  constructor(message: Fault) {
    super(message.text);
    this.fault = message;
  }
}

/** What a file does not say about its phones. */
export type ReadChoices = {
  /** Phones of digits only begin with their country code. Otherwise they are refused, because they may be national. */
  phonesWithoutPlus?: boolean;
};

/** The number that a tenant can have. */
const maxGroups = 1_000;

/** Enough to find the heading that should have another name. */
const maxHeadingsListed = 20;

/** The cost of checking any row, in characters: as much as reading some hundred of them. */
const costOfRow = 500;
/** The cost of the rows that are read in one event-loop tick: a few milliseconds. */
const costOfSlice = 50_000;
/** Small, because lines without a row in them take time too. */
const chunkBytes = 16 * 1024;

/**
 * Reads contacts from a CSV file, or from standard input for `-`, one by one, in the memory of a few rows.
 * The first line names the columns. Reading takes at most half of the process's time.
 *
 * @param options.onHeadings gets all headings, those that mean no column, and the others with their column
 * @param options.onBytes gets the number of bytes read so far
 */
export async function* readContactsCsv(
  path: string,
  {
    onHeadings = () => {},
    onBytes = () => {},
    ...choices
  }: ReadChoices & {
    onHeadings?: (headings: string[], ignored: string[], read: ReadColumn[]) => void;
    onBytes?: (bytes: number) => void;
  } = {},
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
        yield rowOf(columns, record, choices);
        continue;
      }
      columns = readHeadings(record);
      const ignored = record.cells.filter(
        (heading) => isVisible(heading) && columnOf(heading) === undefined,
      );
      const read = [...columns].map(([column, index]) => ({
        heading: record.cells[index]!,
        column,
      }));
      onHeadings(record.cells, ignored, read);
    }
  }

  try {
    for await (const chunk of file) {
      onBytes(file.bytesRead);
      yield* inSlices(rowsOf(reader.read(chunk)), { costOf, maxCost: costOfSlice });
    }
    yield* inSlices(rowsOf(reader.end()), { costOf, maxCost: costOfSlice });
    if (!columns) throw new UnreadableCsv(fault('csv_empty', 'The file is empty.'));
  } finally {
    file.destroy();
  }
}

/** Estimates the work and memory that a row takes, in characters. */
export function costOf({ cells }: CsvRow): number {
  return cells.reduce((cost, cell) => cost + 1 + cell.length, costOfRow);
}

/** The index of each column in a row. */
type Columns = Map<CsvColumn, number>;

/** @throws UnreadableCsv */
function readHeadings({ cells, problem }: CsvRecord): Columns {
  if (cells.some((cell) => cell.includes('\0'))) {
    throw new UnreadableCsv(
      fault(
        'csv_not_utf8',
        'The file is not UTF-8 text. In a spreadsheet, save it as "CSV UTF-8".',
      ),
    );
  }
  if (problem)
    throw new UnreadableCsv(fault('csv_first_row', `The first ${problem.text}.`, { problem }));
  const columns: Columns = new Map();
  for (const [index, heading] of cells.entries()) {
    const column = columnOf(heading);
    if (column === undefined) continue;
    const before = columns.get(column);
    if (before !== undefined) {
      throw new UnreadableCsv(
        fault(
          'csv_column_twice',
          'The columns "{first}" and "{second}" both mean {column}. Leave one out or rename it.',
          { first: cells[before]!, second: heading, column },
        ),
      );
    }
    refuseEntryName(column, heading);
    columns.set(column, index);
  }
  if (!columns.has('phone')) {
    throw new UnreadableCsv(
      fault(
        'csv_phone_missing',
        'The first line must name the columns, and none of them is "phone". It has {headings}.',
        { headings: listed(cells) },
      ),
    );
  }
  return columns;
}

/** Refuses a column of the metadata whose name no entry can have, because each of its rows would be refused. */
function refuseEntryName(column: CsvColumn, heading: string): void {
  if (!column.startsWith('metadata.')) return;
  const metadata = { [column.slice('metadata.'.length)]: '' };
  const problem = validate({ phone: '+14155550123', metadata }).error?.faults.metadata?.[0];
  if (!problem) return;
  throw new UnreadableCsv(
    fault(
      'csv_metadata_name',
      `The column "{heading}" cannot be imported: metadata ${problem.text}.`,
      { heading: cutText(heading, 100), problem },
    ),
  );
}

/** Quotes the first headings in a list. */
function listed(headings: string[]): string {
  const named = headings.filter(isVisible);
  const more = named.length - maxHeadingsListed;
  const quoted = named.slice(0, maxHeadingsListed).map((each) => `"${cutText(each, 50)}"`);
  return `${quoted.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function rowOf(
  columns: Columns,
  { line, lastLine, cells, problem }: CsvRecord,
  choices: ReadChoices,
): CsvRow {
  const row = problem ? { refused: [ofRow(problem)] } : readRow(columns, cells, choices);
  if ('refused' in row && lastLine > line) row.refused = extendedTo(row.refused, lastLine);
  return { line, cells, ...row };
}

const notUtf8 = fault(
  'row_not_utf8',
  'row has bytes that are not valid UTF-8. Save the original file as "CSV UTF-8"',
);

const phoneWithoutPlus = fault(
  'phone_without_plus',
  'has no leading +. If the phones of the file begin with their country code, import it with --phones-without-plus, or choose "Phones have no +" in the dashboard',
);

const validate = createValidatorCompiler()({
  schema: ContactRow,
  method: 'POST',
  url: '',
  httpPart: 'body',
}) as (data: unknown) => { error?: ApiError };

function readRow(
  columns: Columns,
  record: string[],
  { phonesWithoutPlus }: ReadChoices,
): { contact: CsvContact; labels: CsvLabels } | { refused: RowFault[]; labels?: CsvLabels } {
  const cell = (column: CsvColumn) => record[columns.get(column) ?? -1] ?? '';
  const firstname = readCell(cell('firstname'));
  const contact = {
    ...byField(optionalFieldNames, (column) => readCell(cell(column)) || null),
    external_id: readId(cell('external_id')) || null,
    firstname: isVisible(firstname) ? firstname : undefined,
    phone: readPhone(cell('phone'), phonesWithoutPlus),
    metadata: readMetadata(columns, cell),
  };
  const faults: FieldErrors = { ...validate(contact).error?.faults };
  if (faults.phone && isPhone(`+${contact.phone}`)) faults.phone = [phoneWithoutPlus];
  const { names: groups, byCommas: groupsByCommas } = splitNames(cell('groups'));
  const hasTooMany = Math.max(groups.length, groupsByCommas.length) > maxGroups;
  if (hasTooMany) {
    faults.groups = [fault('too_many_names', 'must be at most {max} names', { max: maxGroups })];
  }
  const refused: RowFault[] = Object.entries(faults).flatMap(([field, each]) =>
    each.map((one) => ({ field, fault: one })),
  );
  const isBroken = record.some((each) => /[\ufffd\0]/.test(each));
  if (isBroken) refused.push(ofRow(notUtf8));
  if (hasTooMany || isBroken) return { refused };
  const labels = {
    status: readName(cell('status')),
    source: readName(cell('source')),
    groups,
    groupsByCommas,
  };
  if (refused.length > 0) return { refused, labels };
  return { contact: { ...contact, firstname: contact.firstname ?? null }, labels };
}

/** Reads the entries of a row; null if it has none. Anything but a JSON object is left to the validation. */
function readMetadata(columns: Columns, cell: (column: CsvColumn) => string): Metadata | null {
  const entries = [...columns.keys()].flatMap((column) => {
    const value = column.startsWith('metadata.') ? readCell(cell(column)) : '';
    return value === '' ? [] : [[column.slice('metadata.'.length), value] as const];
  });
  const json = readCell(cell('metadata'));
  const given = json === '' ? {} : parsed(json);
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given as never;
  const metadata = Object.fromEntries([...Object.entries(given), ...entries]);
  return Object.keys(metadata).length > 0 ? metadata : null;
}

/** Makes texts of numbers, as they are written, and of booleans. Leaves out null, which is no value. */
function toTexts(_: string, value: unknown, context?: { source?: string }): unknown {
  const isText = typeof value === 'number' || typeof value === 'boolean';
  return (isText ? context?.source : value) ?? undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json, toTexts) ?? {};
  } catch {
    return json;
  }
}
