import type pg from 'pg';
import sql from 'sql-template-tag';
import { rowsOf } from '../../platform/database/rows-of.ts';
import type { StoredFile } from '../storage/storage.ts';

/** The row of a file in another cell or in a tenant's file. Times are texts, which keep their microseconds. */
export type FileRow = {
  message_id: number;
  number_id: number;
  network_id: string;
  created_at: string;
  /** These four are null for a file that is still to be downloaded from the network. */
  kept_at: string | null;
  size: number | null;
  mime_type: string | null;
  /** In hexadecimal. */
  sha256: string | null;
};

/** The row of a file in the cell that has the tenant. */
export type SourceRow = FileRow & Pick<StoredFile, 'copy_id' | 'in_bucket'>;

const batchSize = 200;
/** Longer than any transfer takes. Then the worker removes what one left behind that was ended. */
const leaseDays = 7;

/** Reads the rows of a tenant's files in batches, without those that are to be removed. */
export async function* listFiles(
  client: Pick<pg.ClientBase, 'query'>,
  tenantId: number,
): AsyncGenerator<SourceRow[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await client.query<SourceRow>(
      `select message_id, number_id, network_id, created_at::text, kept_at::text, size, mime_type,
              encode(sha256, 'hex') as sha256, copy_id, in_bucket
       from kept_files where tenant_id = $1 and message_id > $2 and not is_removed
       order by message_id limit ${batchSize}`,
      [tenantId, after],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.message_id;
  }
}

/** Stores the place of a copy that is on its way. If this process ends, the worker removes the copy. */
export async function reservePlace(
  client: Pick<pg.ClientBase, 'query'>,
  { tenant_id, message_id, copy_id, in_bucket }: StoredFile,
  row: FileRow,
): Promise<void> {
  await client.query(
    `insert into kept_files
       (tenant_id, message_id, copy_id, in_bucket, number_id, network_id, is_removed, due_at)
     values ($1, $2, $3, $4, $5, $6, true, now() + make_interval(days => ${leaseDays}))
     on conflict do nothing`,
    [tenant_id, message_id, copy_id, in_bucket, row.number_id, row.network_id],
  );
}

/**
 * Adds the rows of files to a tenant, in the transaction with which it appears. Those without `kept_at` are asked of
 * the network.
 */
export async function insertFiles(
  client: pg.ClientBase,
  tenantId: number,
  rows: SourceRow[],
): Promise<void> {
  const { rowCount } = await client.query(sql`
    insert into kept_files as here (tenant_id, message_id, number_id, network_id, created_at, kept_at, size, mime_type,
                                    sha256, copy_id, in_bucket, due_at)
    select ${tenantId}, message_id, number_id, network_id, created_at, kept_at, size, mime_type,
           decode(sha256, 'hex'), copy_id, in_bucket, case when kept_at is null then now() end
    from ${rowsOf('given', rows, {
      message_id: ['bigint', (row) => row.message_id],
      number_id: ['bigint', (row) => row.number_id],
      network_id: ['text', (row) => row.network_id],
      created_at: ['timestamptz', (row) => row.created_at],
      kept_at: ['timestamptz', (row) => row.kept_at],
      size: ['integer', (row) => row.size],
      mime_type: ['text', (row) => row.mime_type],
      sha256: ['text', (row) => row.sha256],
      copy_id: ['integer', (row) => row.copy_id],
      in_bucket: ['boolean', (row) => row.in_bucket],
    })}
    on conflict (tenant_id, message_id) do update set
      created_at = excluded.created_at, kept_at = excluded.kept_at, size = excluded.size,
      mime_type = excluded.mime_type, sha256 = excluded.sha256, due_at = excluded.due_at,
      copy_id = excluded.copy_id, in_bucket = excluded.in_bucket, is_removed = false
    where here.is_removed and here.copy_id = excluded.copy_id`);
  if (rowCount !== rows.length) throw new Error('A row of a kept file exists already.');
}

/** Counts the files of a tenant that has just arrived, and leaves its other copies to the worker. */
export async function countFiles(client: pg.ClientBase, tenantId: number): Promise<void> {
  await client.query(
    `insert into kept_file_totals (tenant_id, files, bytes)
     select $1, count(*), sum(size) from kept_files
     where tenant_id = $1 and kept_at is not null having count(*) > 0`,
    [tenantId],
  );
  await releasePlaces(client, tenantId);
}

/** Lets the worker remove copies that are not used. */
export async function releasePlaces(
  client: Pick<pg.ClientBase, 'query'>,
  tenantId: number,
): Promise<void> {
  await client.query(
    'update kept_files set due_at = now() where tenant_id = $1 and is_removed and due_at > now()',
    [tenantId],
  );
}

/** Lists what is left of the files of a tenant that was here before. */
export async function listLeft(
  client: Pick<pg.ClientBase, 'query'>,
  tenantId: number,
): Promise<StoredFile[]> {
  const { rows } = await client.query<StoredFile>(
    `select tenant_id, message_id, copy_id, in_bucket from kept_files
     where tenant_id = $1 limit ${batchSize}`,
    [tenantId],
  );
  return rows;
}
