import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { badRequest, invalid } from '../../errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { createPlaces } from '../../platform/places.ts';
import { type ImportRow, insertImport } from './import-log-queries.ts';
import { importFolder } from './remove-leftovers.ts';
import { runImport } from './run-import.ts';

/** A million contacts with every field filled. */
export const longestFile = 256 * 1024 * 1024;
/** Files of one tenant that arrive at once; each is on our disk before all but one are refused. */
const mostArriving = 3;

/** Takes uploaded files of contacts and imports them, while nobody waits, until it is closed. */
export function createImportStarter(services: { db: Database; log: Log }) {
  const arriving = createPlaces<number>(mostArriving);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  /**
   * Begins the import of a file as soon as all of it is here.
   *
   * @throws ApiError 400 for a file that is too long or breaks off, 422 while others arrive or run
   */
  async function startImport(
    tenantId: number,
    { filename, body }: { filename: string; body: Readable },
  ): Promise<ImportRow> {
    const folder = await mkdtemp(join(tmpdir(), importFolder));
    const path = join(folder, 'contacts.csv');
    try {
      await arrive(tenantId, () => keep(body, path));
      const { size: bytes } = await stat(path);
      const started = await insertImport(services.db, tenantId, { filename, bytes });
      if (!started) throw invalid({ file: ['cannot be imported while another import is running'] });
      const run = runImport(services, tenantId, started.id, path, stopping.signal);
      running.add(run);
      void run.finally(() => running.delete(run));
      return started;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async function arrive(tenantId: number, work: () => Promise<void>): Promise<void> {
    const leave = arriving.take(tenantId);
    if (!leave)
      throw invalid({ file: ['cannot be uploaded while other files are being uploaded'] });
    await work().finally(leave);
  }

  return {
    startImport,
    async close(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Fastify looks at the announced length only; what is not announced is counted here. */
async function keep(body: Readable, path: string): Promise<void> {
  let bytes = 0;
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > longestFile) throw badRequest('The file is too long.');
        yield chunk;
      }
    },
    createWriteStream(path),
  ).catch((error) => {
    // Whoever sent it left.
    if (error.code === 'ECONNRESET') throw badRequest('The file did not arrive whole.', error);
    throw error;
  });
}
