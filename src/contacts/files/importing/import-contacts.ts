import { rm, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { throttle } from '../../../platform/concurrency/throttle.ts';
import type { Database } from '../../../platform/database/database.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { type ContactFieldName, contactFields } from '../../fields/contact-fields.ts';
import { indexSearchTexts } from '../../searching/index-search-texts.ts';
import { retryLostLabel } from '../../writing/faults/retry-lost-label.ts';
import type { CsvColumn } from '../csv/csv-format.ts';
import {
  type CsvRow,
  costOf,
  type ReadChoices,
  type ReadColumn,
  readContactsCsv,
  UnreadableCsv,
} from '../csv/read-contacts-csv.ts';
import { findConflicts } from './find-conflicts.ts';
import { type ImportCounts, type ImportedContact, upsertContacts } from './import-query.ts';
import { createImportReport } from './import-report.ts';
import type { RefusedRow } from './refused-row.ts';
import {
  createMissingLabels,
  type FoundLabels,
  findRowLabels,
  type MissingLabel,
  unknownLabels,
} from './row-labels.ts';

/** Rows in one transaction: enough to be fast, few enough that no other write waits long. */
const batchSize = 250;
/** Limits the memory of a batch, because rows can be long. */
const maxCostOfBatch = 400_000;
/** The cost of the refused rows that are written to the report in one event-loop tick. */
const maxCostOfTick = 50_000;

/** The first phones and external ids of a file, in some 15 MB each, to which later rows are compared. */
const maxCompared = 250_000;

/** Explains what an interrupted import leaves behind. */
export const importedStays = fault(
  'imported_stays',
  'What was imported stays; it is safe to import the file again.',
);

/** What a file cannot say itself. */
export type ImportChoices = ReadChoices & {
  /** Creates the labels that do not exist. Otherwise their rows are refused. */
  createLabels?: boolean;
  /** Writes nothing but the report: finds the rows that would be refused. */
  onlyCheck?: boolean;
};

export type ImportResult = ImportCounts & {
  refused: number;
  /** The rows that were imported, or could be. */
  accepted: number;
  /** The imported rows that have the phone of an earlier row, and so the same contact. */
  samePhone: number;
  ignoredColumns: string[];
  /** The other columns, with their value in the first row that was accepted. Null for labels. */
  columns: (ReadColumn & { first: string | null })[];
  missingLabels: MissingLabel[];
};

/**
 * Imports contacts from a CSV file, or from standard input for `-`, in the memory of one batch. A contact
 * is identified by its phone, so an interrupted import can be repeated. Empty cells and missing columns
 * change nothing.
 *
 * @param reportPath the file for the refused rows, each with its line and the reason; written only if a
 *   row is refused
 * @param options.onBytes gets the number of bytes read so far
 * @param options.onWriting is called before each batch, which waits for it
 * @param options.onImported is called after each batch
 * @param options.onRefused is called with each refused row
 * @param options.signal aborts the import between two batches: it throws
 * @param options.maxReportBytes rows that do not fit are counted in the last line of the report
 * @throws UnreadableCsv
 */
export async function importContacts(
  db: Database,
  tenantId: number,
  path: string,
  reportPath: string,
  {
    onBytes = () => {},
    onWriting = () => {},
    onImported = () => {},
    onRefused = () => {},
    signal,
    maxReportBytes = Number.POSITIVE_INFINITY,
    ...choices
  }: ImportChoices & {
    onBytes?: (bytes: number) => void;
    onWriting?: () => void | Promise<void>;
    onImported?: () => void;
    onRefused?: (row: RefusedRow) => void;
    signal?: AbortSignal;
    maxReportBytes?: number;
  } = {},
): Promise<ImportResult> {
  const result = {
    created: 0,
    updated: 0,
    unchanged: 0,
    refused: 0,
    accepted: 0,
    samePhone: 0,
    ignoredColumns: [] as string[],
    columns: [] as ImportResult['columns'],
  };
  const missingLabels = createMissingLabels();
  const phones = new Set<number>();
  /** The phones of the external ids that were only checked. */
  const checked = new Map<string, string>();
  const report = createImportReport(reportPath, maxReportBytes);
  let batch: CsvRow[] = [];
  let cost = 0;

  async function importBatch() {
    signal?.throwIfAborted();
    await onWriting();
    const { counts, imported, refused, labels } = await importRows(
      db,
      tenantId,
      batch,
      checked,
      choices,
    );
    for (const { external_id, phone } of choices.onlyCheck ? imported : []) {
      if (external_id && checked.size < maxCompared) checked.set(external_id, phone);
    }
    for (const { unknown } of labels) missingLabels.add(unknown);
    if (result.accepted === 0 && imported[0]) {
      for (const each of result.columns) each.first = textOf(imported[0], each.column);
    }
    result.accepted += imported.length;
    for (const phone of imported.map((each) => Number(each.phone))) {
      if (phones.has(phone)) result.samePhone++;
      else if (phones.size < maxCompared) phones.add(phone);
    }
    batch = [];
    cost = 0;
    for (const key of ['created', 'updated', 'unchanged'] as const) result[key] += counts[key];
    onImported();
    let costOfTick = 0;
    for (const row of refused) {
      result.refused++;
      onRefused(row);
      await report.add(row);
      costOfTick += costOf(row);
      if (costOfTick < maxCostOfTick) continue;
      costOfTick = 0;
      await setImmediate();
    }
  }

  await refuseOwnInput(path, reportPath);
  await rm(reportPath, { force: true });
  const rows = readContactsCsv(path, {
    ...choices,
    onHeadings: (all, ignored, read) => {
      report.headings = all;
      result.ignoredColumns = ignored;
      result.columns = read.map((each) => ({ ...each, first: null }));
    },
    onBytes,
  });
  try {
    for await (const row of rows) {
      batch.push(row);
      cost += costOf(row);
      if (batch.length === batchSize || cost > maxCostOfBatch) await throttle(importBatch);
    }
    if (batch.length > 0) await throttle(importBatch);
  } finally {
    await report.close();
  }
  if (!choices.onlyCheck) await indexSearchTexts(db);
  return { ...result, missingLabels: missingLabels.list() };
}

const nothingWritten: ImportCounts = { created: 0, updated: 0, unchanged: 0 };

/** Imports the valid rows. Returns the others with the reason. */
async function importRows(
  db: Database,
  tenantId: number,
  rows: CsvRow[],
  checked: ReadonlyMap<string, string>,
  { createLabels = false, onlyCheck = false }: ImportChoices,
): Promise<{
  counts: ImportCounts;
  imported: ImportedContact[];
  refused: RefusedRow[];
  labels: FoundLabels[];
}> {
  return retryLostLabel(async () => {
    const creates = createLabels && (onlyCheck ? 'supposed' : 'created');
    const labels = await findRowLabels(db, tenantId, rows, creates);
    const outcomes = rows.map((row, index) => withLabels(row, labels[index]!));
    const labelled = outcomes.flatMap((each) => ('contact' in each ? [each] : []));
    const conflicts = await findConflicts(
      db,
      tenantId,
      labelled.map(({ contact }) => contact),
      checked,
    );
    const imported = labelled
      .filter((_, index) => !conflicts.has(index))
      .map(({ contact }) => contact);
    const counts = onlyCheck ? nothingWritten : await upsertContacts(db, tenantId, imported);
    const reasons = new Map(labelled.map((row, index) => [row, conflicts.get(index)]));
    const refused = outcomes.flatMap((each) => {
      if ('refused' in each) return each;
      const faults = reasons.get(each);
      return faults === undefined ? [] : { line: each.line, cells: each.cells, refused: faults };
    });
    return { counts, imported, refused, labels };
  });
}

/** The text of a column in a contact; null if it has none there. */
function textOf(contact: ImportedContact, column: CsvColumn): string | null {
  const entry = column.startsWith('metadata.') && column.slice('metadata.'.length);
  if (entry) return contact.metadata?.[entry] ?? null;
  return column in contactFields ? contact[column as ContactFieldName] : null;
}

/** Gives a row the ids of its labels. A row with unknown labels is refused for them too. */
function withLabels(
  row: CsvRow,
  { ids, unknown }: FoundLabels,
): RefusedRow | (Omit<RefusedRow, 'refused'> & { contact: ImportedContact }) {
  const { line, cells } = row;
  if ('contact' in row && unknown.length === 0)
    return { line, cells, contact: { ...row.contact, ...ids } };
  const refused = 'refused' in row ? row.refused : [];
  return { line, cells, refused: [...refused, ...unknownLabels(unknown)] };
}

/** Refuses a report that would replace the file that is read, even under another name. */
async function refuseOwnInput(path: string, reportPath: string): Promise<void> {
  if (path === '-') return;
  const read = await stat(path).catch((error: Error) => {
    throw new UnreadableCsv(
      fault('file_unreadable', '{path} cannot be read: {why}', { path, why: error.message }),
    );
  });
  if (read.isDirectory())
    throw new UnreadableCsv(fault('path_is_folder', '{path} is a folder.', { path }));
  const replaced = await stat(reportPath).catch(() => undefined);
  if (read.dev === replaced?.dev && read.ino === replaced.ino) {
    throw new Error(`The report would replace ${path} itself. Give it another name.`);
  }
}
