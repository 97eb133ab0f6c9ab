import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../../../platform/database/database.ts';
import { ourSide } from '../../../platform/errors/common-faults.ts';
import { fault, joined } from '../../../platform/errors/fault.ts';
import type { Log } from '../../../platform/log.ts';
import { UnreadableCsv } from '../csv/read-contacts-csv.ts';
import { type ImportChoices, importContacts, importedStays } from './import-contacts.ts';
import { endImport, recordImportProgress } from './import-log-queries.ts';
import { createFirstRows } from './refused-row.ts';

/** The report of the refused rows is stored in the database. */
const maxReportBytes = 5 * 1024 * 1024;

/**
 * Imports an uploaded file, records the progress in the log of imports every second, and removes the folder
 * of the file. Never throws: the outcome is in the log.
 *
 * @param signal ends the import early, as failed
 */
export async function runImport(
  { db, log }: { db: Database; log: Log },
  tenantId: number,
  importId: number,
  path: string,
  choices: ImportChoices,
  signal: AbortSignal,
): Promise<void> {
  const reportPath = join(dirname(path), 'refused.csv');
  const firstRows = createFirstRows();
  let bytesRead = 0;
  const stopRecording = recordProgress({ db, log }, tenantId, importId, () => bytesRead);
  try {
    const result = await importContacts(db, tenantId, path, reportPath, {
      ...choices,
      onBytes: (bytes) => {
        bytesRead = bytes;
      },
      onRefused: firstRows.add,
      signal,
      maxReportBytes,
    });
    const report = result.refused > 0 ? await readFile(reportPath, 'utf8') : null;
    await endImport(db, tenantId, importId, {
      ...{ result, report, onlyCheck: choices.onlyCheck ?? false },
      refusedRows: firstRows.rows,
    });
  } catch (err) {
    const isOurs = !(err instanceof UnreadableCsv) && !signal.aborted;
    if (isOurs) log.error({ err }, 'an import of contacts failed');
    const reason = isOurs
      ? ourSide
      : fault('service_was_stopped', 'The service was stopped meanwhile.');
    const ours = choices.onlyCheck ? reason : joined([reason, importedStays])!;
    const problem = err instanceof UnreadableCsv ? err.fault : ours;
    await endImport(db, tenantId, importId, { problem }).catch((lost) =>
      log.error({ err: lost }, 'a failed import could not be ended'),
    );
  } finally {
    stopRecording();
    await rm(dirname(path), { recursive: true, force: true });
  }
}

/**
 * Records a heartbeat and the progress of an import every second.
 *
 * @returns a function that stops it
 */
export function recordProgress(
  { db, log }: { db: Database; log: Log },
  tenantId: number,
  importId: number,
  bytesRead: () => number,
): () => void {
  const timer = setInterval(() => {
    recordImportProgress(db, tenantId, importId, bytesRead()).catch((err) =>
      log.warn({ err }, 'the progress of an import could not be recorded'),
    );
  }, 1_000);
  return () => clearInterval(timer);
}
