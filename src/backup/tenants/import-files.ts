import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type pg from 'pg';
import { countFiles, insertFiles, type SourceRow } from '../../media/transfer/file-rows.ts';
import {
  type ReceivedFiles,
  receiveFiles,
  toDownload,
} from '../../media/transfer/receive-files.ts';
import type { Services } from '../../services.ts';
import type { KeptFileRecord } from '../format.ts';

export type ImportedFiles = {
  kept: number;
  /** Files whose bytes were not those that were kept. They are asked of WhatsApp. */
  lost: number;
};

/**
 * Puts the kept files of a tenant's file into their place, and their rows into the transaction of the import. Call
 * `begin` with each record, `put` with its bytes, and `end` after the last one.
 *
 * @param client the connection of the import
 */
export function createFileImport(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  client: pg.ClientBase,
  tenantId: number,
) {
  const counts = { kept: 0, lost: 0 };
  let rows = 0;
  let receiving: ReceivedFiles | undefined;
  let underWay: { body: PassThrough; received: Promise<SourceRow> } | undefined;

  async function insert(row: SourceRow): Promise<void> {
    await insertFiles(client, tenantId, [row]);
    rows++;
  }

  async function finish(): Promise<void> {
    if (!underWay) return;
    const { body, received } = underWay;
    underWay = undefined;
    body.end();
    const row = await received;
    counts[row.kept_at === null ? 'lost' : 'kept']++;
    await insert(row);
  }

  return {
    async begin({ kind: _, ...row }: KeptFileRecord): Promise<void> {
      await finish();
      if (row.kept_at === null) return insert(toDownload(row));
      receiving ??= await receiveFiles({ db, storage }, tenantId, await storage.incoming.make());
      const body = new PassThrough();
      const received = receiving.receive(row, body);
      // The next call gets the failure.
      received.catch(() => body.destroy());
      underWay = { body, received };
    },

    async put(bytes: Buffer): Promise<void> {
      const { body, received } = underWay!;
      if (body.destroyed || body.write(bytes)) return;
      await Promise.race([once(body, 'drain'), received]);
    },

    /** @returns the number of rows */
    async end(): Promise<number> {
      await finish();
      await countFiles(client, tenantId);
      return rows;
    },

    /** The import failed: leaves the files to the worker. */
    async giveUp(): Promise<void> {
      underWay?.body.destroy(new Error('the import has ended'));
      await underWay?.received.catch(() => {});
      await receiving?.giveUp();
    },

    counts,
  };
}
