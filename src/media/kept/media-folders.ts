import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Storage, StoredFile } from '../storage/storage.ts';

type FolderServices = { db: Db; storage: Storage };

export const foldersDiffer = fault(
  'media_folders_differ',
  'Received files are not kept: the processes of this installation do not have the same folder for them. All need the same folder media in PARLEY_DATA_DIR, or PARLEY_MEDIA_BUCKET.',
);

/** Folders that can have copies, or whose processes would put copies there. Processes announce theirs every minute. */
const inUse = sql`(is_home or seen_at > now() - interval '10 minutes')`;

/** Records that a process of the service uses the folder of these settings. */
export async function announceFolder({ db, storage }: FolderServices): Promise<void> {
  const id = await storage.folderId.make();
  await db.query(
    statement(
      'announce-media-folder',
      sql`
        with old as (
          delete from media_folders
          where not is_home and seen_at < now() - interval '1 day' and id <> ${id}::uuid
        )
        insert into media_folders (id, seen_at) values (${id}::uuid, now())
        on conflict (id, is_home) do update set seen_at = now()`,
    ),
  );
}

/**
 * Whether copies can be put into the folder of these settings. The first folder that gets a copy becomes the home of
 * all, unless processes with other folders run.
 */
export async function takeHome({ db, storage }: FolderServices): Promise<boolean> {
  const id = await storage.folderId.make();
  const { rows } = await db.query<{ is_home: boolean }>(
    statement(
      'take-media-home',
      sql`
        with taken as (
          insert into media_folders (id, is_home, seen_at)
          select ${id}::uuid, true, now()
          where not exists (select from media_folders where id <> ${id}::uuid and ${inUse})
          on conflict do nothing
          returning is_home
        )
        select is_home from media_folders where id = ${id}::uuid and is_home
        union all
        select is_home from taken`,
    ),
  );
  return rows.length > 0;
}

/** Whether the installation can keep files: in a bucket, or in one folder that is the folder of these settings. */
export async function canKeepFiles({ db, storage }: FolderServices): Promise<boolean> {
  if (storage.usesBucket) return true;
  const { rows } = await db.query<{ differs: boolean }>(
    statement(
      'do-media-folders-differ',
      sql`
        select exists (
          select from media_folders
          where id is distinct from ${(await storage.folderId.find()) ?? null}::uuid and ${inUse}
        ) as differs`,
    ),
  );
  return !rows[0]!.differs;
}

/** Whether a process of the service uses the folder of these settings, and no other folder has the copies. */
export async function isFolderOfService({ db, storage }: FolderServices): Promise<boolean> {
  const id = await storage.folderId.find();
  const { rows } = await db.query(
    statement(
      'is-media-folder-of-service',
      sql`
        select from media_folders where id = ${id ?? null}::uuid and not ${isHomeElsewhere(id)}
        limit 1`,
    ),
  );
  return rows.length > 0;
}

/** Whether a copy that is missing in this folder can be in the folder of another process. */
export async function isInOtherFolder(
  { db, storage }: FolderServices,
  { in_bucket }: Pick<StoredFile, 'in_bucket'>,
): Promise<boolean> {
  if (in_bucket) return false;
  const { rows } = await db.query<{ is_elsewhere: boolean }>(
    statement(
      'is-media-home-elsewhere',
      sql`select ${isHomeElsewhere(await storage.folderId.find())} as is_elsewhere`,
    ),
  );
  return rows[0]!.is_elsewhere;
}

/**
 * The condition that the home of the copies is another folder than this one, so that a missing file proves nothing.
 * While no folder is the home, as after an upgrade, each process answers for its own.
 */
export function isHomeElsewhere(folderId: string | undefined): Sql {
  return sql`
    exists (
      select from media_folders where is_home and id is distinct from ${folderId ?? null}::uuid)`;
}
