import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import { uploadLifetimeDays } from '../whatsapp/upload-media.ts';

export type UploadRow = {
  id: number;
  number_id: number;
  mime_type: string;
  size: number;
  filename: string | null;
  /** The network's id of the file. */
  network_id: string;
  expires_at: Date;
};

export type NewUpload = Omit<UploadRow, 'id' | 'expires_at'> & { sha256: Buffer };

/**
 * Stores an upload. The same file of the same number keeps its id, and takes over the network's newer id, which lives
 * longer.
 */
export async function storeUpload(
  db: Db,
  tenantId: number,
  { number_id, mime_type, sha256, size, filename, network_id }: NewUpload,
): Promise<Pick<UploadRow, 'id' | 'expires_at'>> {
  const { rows } = await db.query<Pick<UploadRow, 'id' | 'expires_at'>>(
    statement(
      'store-upload',
      sql`
        insert into media_uploads
          (tenant_id, number_id, mime_type, sha256, size, filename, network_id, expires_at)
        values (${tenantId}, ${number_id}, ${mime_type}, ${sha256}, ${size}, ${filename}, ${network_id},
                now() + make_interval(days => ${uploadLifetimeDays}))
        on conflict (tenant_id, number_id, sha256, mime_type) do update
          set filename = excluded.filename, network_id = excluded.network_id, expires_at = excluded.expires_at
        returning id, expires_at`,
    ),
  );
  return rows[0]!;
}

/** Finds a file that the network still has. */
export async function findUploadRow(
  db: Db,
  tenantId: number,
  id: number,
): Promise<UploadRow | undefined> {
  const { rows } = await db.query<UploadRow>(
    statement(
      'find-upload',
      sql`
        select id, number_id, mime_type, size, filename, network_id, expires_at
        from media_uploads
        where tenant_id = ${tenantId} and id = ${id} and expires_at > now()`,
    ),
  );
  return rows[0];
}

/** Deletes some uploads of all tenants that the network has forgotten. */
export async function deleteExpiredUploads(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    statement(
      'delete-expired-uploads',
      sql`
        delete from media_uploads
        where ctid = any(array(
          select ctid from media_uploads where expires_at <= now() order by expires_at limit ${limit}))`,
    ),
  );
  return rowCount ?? 0;
}
