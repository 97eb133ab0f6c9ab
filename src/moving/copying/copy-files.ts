import type pg from 'pg';
import { describeTables } from '../../backup/tables/describe-tables.ts';
import {
  countFiles,
  insertFiles,
  listFiles,
  type SourceRow,
} from '../../media/transfer/file-rows.ts';
import {
  type ReceivedFiles,
  receiveFiles,
  toDownload,
} from '../../media/transfer/receive-files.ts';
import {
  findSharedPlaces,
  isShared,
  type SharedPlaces,
} from '../../media/transfer/shared-places.ts';
import type { Cells } from '../move-session.ts';
import { type Copying, compareRowsOf } from './compare-copies.ts';

const maxFilesAtOnce = 4;

export type CopiedFiles = {
  /** Files that the new cell has now. */
  kept: number;
  /** Files that this cell had lost, and that the new cell asks of WhatsApp. */
  lost: number;
};

export type FileCopy = ReturnType<typeof createFileCopy>;

/**
 * Copies the kept files of a tenant from cell to cell. What both cells find in one place stays there, and only its
 * row is copied.
 */
export function createFileCopy(
  { here, there }: Cells,
  { hereId, thereId }: Pick<Copying, 'hereId' | 'thereId'>,
) {
  /** The copies of this attempt, by message. */
  const copies = new Map<number, Pick<SourceRow, 'copy_id' | 'in_bucket'>>();
  const lost = new Set<number>();
  let receiving: Promise<ReceivedFiles> | undefined;
  let places: Promise<SharedPlaces> | undefined;

  async function folder(): Promise<string> {
    return (there.storage.usesBucket ? here : there).storage.incoming.make();
  }

  /** Copies a file unless it is there, and returns its row for the new cell. */
  async function bring(row: SourceRow): Promise<SourceRow> {
    if (row.kept_at === null) return toDownload(row);
    places ??= findSharedPlaces(here, there);
    if (isShared(await places, [hereId, thereId], row)) return row;
    const copy = copies.get(row.message_id);
    if (copy) return { ...row, ...copy };
    lost.delete(row.message_id);
    const { message_id, copy_id, in_bucket } = row;
    const body = await here.storage.open(
      { tenant_id: hereId, message_id, copy_id, in_bucket },
      undefined,
    );
    receiving ??= folder().then((path) => receiveFiles(there, thereId, path));
    const received = body ? await (await receiving).receive(row, body) : toDownload(row);
    if (received.kept_at === null) lost.add(message_id);
    else copies.set(message_id, { copy_id: received.copy_id, in_bucket: received.in_bucket });
    return received;
  }

  async function bringAll(rows: SourceRow[]): Promise<SourceRow[]> {
    const brought: SourceRow[] = [];
    for (let start = 0; start < rows.length; start += maxFilesAtOnce) {
      brought.push(...(await Promise.all(rows.slice(start, start + maxFilesAtOnce).map(bring))));
    }
    return brought;
  }

  return {
    /** Copies the files that are there now, while the tenant serves. */
    async copyEarly(): Promise<void> {
      for await (const rows of listFiles(here.db.pool, hereId)) await bringAll(rows);
    },

    /**
     * Copies the files that came meanwhile, adds the rows of all, and compares them.
     *
     * @throws Error if the cells differ
     */
    async copyRest(reader: pg.Client, writer: pg.Client): Promise<CopiedFiles> {
      // Files that were missing earlier may have been deleted since, so they are counted again.
      lost.clear();
      for await (const rows of listFiles(reader, hereId)) {
        await insertFiles(writer, thereId, await bringAll(rows));
      }
      await countFiles(writer, thereId);
      const kept = await compareFiles({ reader, writer, hereId, thereId }, [...lost]);
      return { kept, lost: lost.size };
    },

    async giveUp(): Promise<void> {
      await (await receiving)?.giveUp();
    },
  };
}

const compared = [
  'message_id',
  'number_id',
  'network_id',
  'created_at',
  'kept_at',
  'size',
  'mime_type',
  'sha256',
];

/** Compares the rows of files. The bytes of each copy were compared with the hash in its row. */
async function compareFiles(copying: Copying, lost: number[]): Promise<number> {
  const tables = await describeTables(copying.reader);
  const table = tables.find(({ name }) => name === 'kept_files')!;
  const kept = 'kept_at is not null and not is_removed';
  return compareRowsOf(
    copying,
    { ...table, columns: compared },
    { here: `${kept} and message_id <> all('{${lost.join(',')}}')`, there: kept },
  );
}
