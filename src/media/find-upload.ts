import type { Db } from '../platform/database/database.ts';
import { findUploadRow, type UploadRow } from './queries.ts';

export type Upload = UploadRow;

/**
 * Finds an uploaded file by its `media_id`.
 *
 * @returns undefined if the tenant has no such file, or the network has forgotten it
 */
export async function findUpload(
  db: Db,
  tenantId: number,
  mediaId: string,
): Promise<Upload | undefined> {
  const [, id] = /^upload-([1-9]\d{0,14})$/.exec(mediaId) ?? [];
  return id === undefined ? undefined : findUploadRow(db, tenantId, Number(id));
}

export function mediaIdOf({ id }: Pick<Upload, 'id'>): string {
  return `upload-${id}`;
}
