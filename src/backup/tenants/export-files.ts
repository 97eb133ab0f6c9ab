import type pg from 'pg';
import { listFiles } from '../../media/transfer/file-rows.ts';
import { toDownload } from '../../media/transfer/receive-files.ts';
import type { ArchiveWriter } from '../../platform/archive/write-archive.ts';
import type { Services } from '../../services.ts';
import type { KeptFileRecord } from '../format.ts';

export type ExportedFiles = {
  rows: number;
  /** Files whose content was written. */
  kept: number;
  /** Files that their place has lost. Where they are imported, they are asked of WhatsApp. */
  lost: number;
};

/** Writes the kept files of a tenant, one after the other and in small parts. */
export async function exportFiles(
  {
    client,
    storage,
    archive,
  }: {
    client: pg.ClientBase;
    storage: Services['storage'];
    archive: ArchiveWriter;
  },
  tenantId: number,
): Promise<ExportedFiles> {
  const counts = { rows: 0, kept: 0, lost: 0 };
  for await (const files of listFiles(client, tenantId)) {
    for (const row of files) {
      const { copy_id, in_bucket, ...file } = row;
      const place = { tenant_id: tenantId, message_id: row.message_id, copy_id, in_bucket };
      const body = row.kept_at === null ? undefined : await storage.open(place, undefined);
      const { copy_id: _id, in_bucket: _place, ...unkept } = toDownload(row);
      const record: KeptFileRecord = { kind: 'kept_file', ...(body ? file : unkept) };
      await archive.record(record);
      for await (const chunk of body ?? []) await archive.data(chunk);
      counts.rows++;
      if (body) counts.kept++;
      else if (row.kept_at !== null) counts.lost++;
    }
  }
  return counts;
}
