import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createLabelNames, type LabelNames } from '../../labels/label-names.ts';
import type { Database } from '../../platform/database.ts';
import { indexSearchTexts } from '../index-search-texts.ts';
import { writeLine } from './csv-format.ts';
import { type ImportCounts, type ImportedContact, upsertContacts } from './import-query.ts';
import { type CsvContact, readContactsCsv } from './read-contacts-csv.ts';

/** Contacts of one transaction: enough to be quick, few enough that nobody waits long for it. */
const batchSize = 250;

export type ImportResult = ImportCounts & { refused: number; ignoredColumns: string[] };

/**
 * Imports contacts from a CSV file, in the memory of one batch. A contact is known by its phone, so
 * an import that was cut off can be run again; empty cells and missing columns change nothing.
 * Between batches it rests as long as the batch took, to leave room for everyone else.
 *
 * @param reportPath where the refused rows go, each with its line and the reason; the file is there
 *   afterwards only when there are any
 * @param onBytes is told how far the file is read
 * @throws UnreadableCsv
 */
export async function importContacts(
  db: Database,
  tenantId: number,
  path: string,
  reportPath: string,
  onBytes: (bytes: number) => void = () => {},
): Promise<ImportResult> {
  const labels = await createLabelNames(db, tenantId);
  const result: ImportResult = {
    ...{ created: 0, updated: 0, unchanged: 0 },
    ...{ refused: 0, ignoredColumns: [] },
  };
  const report = createReport(reportPath);
  let headings: string[] = [];
  let batch: ImportedContact[] = [];

  async function flush() {
    const startedAt = performance.now();
    const counts = await upsertContacts(db, tenantId, batch);
    for (const key of ['created', 'updated', 'unchanged'] as const) result[key] += counts[key];
    batch = [];
    const tookMs = performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, tookMs));
  }

  await refuseOwnInput(path, reportPath);
  await rm(reportPath, { force: true });
  const rows = readContactsCsv(
    path,
    (all, ignored) => {
      headings = all;
      result.ignoredColumns = ignored;
    },
    onBytes,
  );
  try {
    for await (const row of rows) {
      const outcome = 'contact' in row ? withLabels(labels, row.contact) : row;
      if ('refused' in outcome) {
        if (result.refused++ === 0) await report.write(['line', 'reason', ...headings]);
        await report.write([row.line, outcome.refused, ...row.cells]);
        continue;
      }
      batch.push(outcome.contact);
      if (batch.length === batchSize) await flush();
    }
    if (batch.length > 0) await flush();
  } finally {
    await report.close();
  }
  await indexSearchTexts(db);
  return result;
}

function withLabels(
  labels: LabelNames,
  { status, source, groups, ...contact }: CsvContact,
): { contact: ImportedContact } | { refused: string } {
  const unknown: string[] = [];
  const find = (kind: keyof LabelNames, one: string, name: string) => {
    const id = labels[kind].get(name.toLowerCase());
    if (id === undefined) unknown.push(`${one} "${name}" does not exist`);
    return id ?? null;
  };
  const imported = {
    ...contact,
    statusId: status && find('statuses', 'status', status),
    sourceId: source && find('sources', 'source', source),
    groupIds: groups.flatMap((name) => find('groups', 'group', name) ?? []),
  };
  return unknown.length > 0
    ? { refused: unknown.join('; ') }
    : { contact: imported as ImportedContact };
}

/** The report replaces what is there; that must not be what is read, by whatever name. */
async function refuseOwnInput(path: string, reportPath: string): Promise<void> {
  const [read, replaced] = await Promise.all([stat(path), stat(reportPath).catch(() => undefined)]);
  if (read.dev === replaced?.dev && read.ino === replaced.ino) {
    throw new Error(`The report would replace ${path} itself. Give it another name.`);
  }
}

/** A CSV file that is made when its first line is written. */
function createReport(path: string) {
  let file: WriteStream | undefined;
  let failure: Error | undefined;
  return {
    async write(cells: (string | number)[]): Promise<void> {
      if (!file) {
        file = createWriteStream(path);
        // Most of the time nobody waits for it, and an error that nobody hears ends the process.
        file.on('error', (error) => {
          failure = error;
        });
      }
      if (failure) throw failure;
      if (!file.write(writeLine(cells))) await once(file, 'drain');
    },
    async close(): Promise<void> {
      if (file) await finished(file.end());
    },
  };
}
