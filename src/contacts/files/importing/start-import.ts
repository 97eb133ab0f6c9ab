import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { recordAudit } from '../../../audit/record-audit.ts';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/database.ts';
import { badRequest, invalid } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import type { Log } from '../../../platform/log.ts';
import { makeImportFolder, removeLeftovers } from '../remove-leftovers.ts';
import type { ImportChoices } from './import-contacts.ts';
import { beginImport, claimImport, type ImportRow, withdrawImport } from './import-log-queries.ts';
import { recordProgress, runImport } from './run-import.ts';

/** Enough for a million contacts with every field filled. */
export const maxFileBytes = 256 * 1024 * 1024;

type Upload = {
  filename: string;
  /** The length that the client announced; 0 if it did not. */
  bytes: number;
  body: Readable;
  choices: ImportChoices;
  /** Called once the upload is accepted, before any of it is read. */
  onAccepted(): void;
};

/** Receives uploaded files of contacts and imports them in the background, until it is closed. */
export function createImportStarter(services: { db: Database; log: Log; config: Config }) {
  const { db, log, config } = services;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  /**
   * Starts the import of a file once it is uploaded completely. A tenant has one import at a time, from the
   * start of its upload to its end, across all processes.
   *
   * @throws ApiError 422 while another import of the tenant is running, before any of the file is read; 400
   *   for a file that is too long or incomplete
   */
  async function startImport(tenantId: number, upload: Upload): Promise<ImportRow> {
    const claimed = await claimImport(db, tenantId, upload);
    if (!claimed) throw alreadyRunning();
    upload.onAccepted();
    const stopRecording = recordProgress(services, tenantId, claimed.id, () => 0);
    let folder: string | undefined;
    try {
      await removeLeftovers(services);
      folder = await makeImportFolder(config.dataDir, claimed.id);
      const path = join(folder, 'contacts.csv');
      const bytes = await storeFile(upload.body, path);
      const begun = await db.transaction(async (tx) => {
        const row = await beginImport(tx, tenantId, claimed.id, bytes);
        if (row && !upload.choices.onlyCheck) {
          const subject = { id: row.id, name: row.filename };
          await recordAudit(tx, tenantId, { action: 'contacts.imported', subject });
        }
        return row;
      });
      // The upload took so long that the import was considered dead, and another one has started.
      if (!begun) throw alreadyRunning();
      const run = runImport(services, tenantId, begun.id, path, upload.choices, stopping.signal);
      running.add(run);
      void run.finally(() => running.delete(run));
      return begun;
    } catch (error) {
      const cleanup = [
        withdrawImport(db, tenantId, claimed.id),
        folder && rm(folder, { recursive: true, force: true }),
      ];
      for (const { status, reason } of (await Promise.allSettled(
        cleanup,
      )) as PromiseRejectedResult[]) {
        if (status === 'rejected')
          log.error({ err: reason }, 'a failed upload could not be removed');
      }
      throw error;
    } finally {
      stopRecording();
    }
  }

  return {
    startImport,
    async close(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function alreadyRunning() {
  return invalid({
    file: [
      fault(
        'import_running',
        'cannot be imported while another import is running. Try again when it has ended',
      ),
    ],
  });
}

/**
 * Writes a file. Fastify only checks the announced length, so the bytes are counted here.
 *
 * @returns its length in bytes
 */
async function storeFile(body: Readable, path: string): Promise<number> {
  let bytes = 0;
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxFileBytes) throw badRequest(fault('file_too_long', 'The file is too long.'));
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  ).catch((error) => {
    // The client has disconnected.
    if (error.code === 'ECONNRESET')
      throw badRequest(
        fault('upload_interrupted', 'The upload was interrupted. Send the file again.'),
        error,
      );
    throw error;
  });
  return bytes;
}
