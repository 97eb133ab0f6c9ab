import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { type Columns, rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import type { StoredFile } from '../storage/storage.ts';
import { isHomeElsewhere } from './media-folders.ts';

export type KeptFile = StoredFile & { size: number; mime_type: string };

/** Finds the copy of a message's file; undefined if there is none. */
export async function findKeptFile(
  db: Db,
  tenantId: number,
  messageId: number,
): Promise<KeptFile | undefined> {
  const { rows } = await db.query<KeptFile>(
    statement(
      'find-kept-file',
      sql`
        select tenant_id, message_id, copy_id, in_bucket, size, mime_type
        from kept_files
        where tenant_id = ${tenantId} and message_id = ${messageId} and kept_at is not null
          and not is_removed`,
    ),
  );
  return rows[0];
}

const fileKey: Columns<StoredFile> = {
  tenant_id: ['bigint', ({ tenant_id }) => tenant_id],
  message_id: ['bigint', ({ message_id }) => message_id],
  copy_id: ['int', ({ copy_id }) => copy_id],
};

/** Whether the row of a file still exists. Without it, nobody would remove the file. */
export async function isQueued(
  db: Db,
  { tenant_id, message_id }: Pick<StoredFile, 'tenant_id' | 'message_id'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    statement(
      'is-kept-file-queued',
      sql`select from kept_files where tenant_id = ${tenant_id} and message_id = ${message_id}`,
    ),
  );
  return rowCount === 1;
}

/**
 * Finds files to remove, of all tenants: of deleted messages, and those that are older than their tenants keep them.
 * A file that is being downloaded is found when the lease of its download has ended. While a tenant is held for a
 * move, and in the cell that does not serve it, its files stay: the other cell may have them, too. Files in the
 * folder of another process are left to that process.
 *
 * @param given.usesBucket without a bucket, its files wait until there is one again
 */
export async function findRemovable(
  db: Db,
  {
    limit,
    usesBucket,
    folderId,
  }: { limit: number; usesBucket: boolean; folderId: string | undefined },
): Promise<StoredFile[]> {
  const isReached = sql`
    case when in_bucket then ${usesBucket}::boolean else not ${isHomeElsewhere(folderId)} end`;
  const { rows } = await db.query<StoredFile>(
    statement(
      'find-removable-kept-files',
      sql`
        (select tenant_id, message_id, copy_id, in_bucket from kept_files
         where is_removed and (due_at is null or due_at <= now()) and ${isReached}
           and not ${isHeld(sql`kept_files.tenant_id`)}
         limit ${limit})
        union
        (select old.*
         from kept_file_totals as total
         join tenants on tenants.id = total.tenant_id
         cross join lateral (
           select tenant_id, message_id, copy_id, in_bucket from kept_files
           where kept_files.tenant_id = total.tenant_id
             and kept_at <= now() - make_interval(days => tenants.keep_files_days)
             and ${isReached} and not is_removed
           order by kept_at limit ${limit}
         ) as old
         where not ${isHeld(sql`total.tenant_id`)}
         limit ${limit})`,
    ),
  );
  return rows;
}

/** Notes that files could not be removed, so that they are not found again for an hour and hold up no others. */
export async function postponeRemoval(db: Db, files: StoredFile[]): Promise<void> {
  await db.query(
    statement(
      'postpone-removal-of-kept-files',
      sql`
        update kept_files set is_removed = true, due_at = now() + interval '1 hour'
        from ${rowsOf('failed', files, fileKey)}
        where kept_files.tenant_id = failed.tenant_id
          and kept_files.message_id = failed.message_id
          and kept_files.copy_id = failed.copy_id`,
    ),
  );
}

/** Forgets files that have been removed. */
export async function forgetFiles(db: Db, files: StoredFile[]): Promise<void> {
  await db.query(
    statement(
      'forget-kept-files',
      sql`
        with gone as (
          delete from kept_files
          using ${rowsOf('removed', files, fileKey)}
          where kept_files.tenant_id = removed.tenant_id
            and kept_files.message_id = removed.message_id
            and kept_files.copy_id = removed.copy_id
          returning kept_files.tenant_id, kept_at, size
        ), change as (
          select tenant_id, count(*) as files, sum(size) as bytes
          from gone where kept_at is not null group by tenant_id order by tenant_id
        )
        update kept_file_totals as total
        set files = total.files - change.files, bytes = total.bytes - change.bytes
        from change where total.tenant_id = change.tenant_id`,
    ),
  );
}
