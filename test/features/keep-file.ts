import { Readable } from 'node:stream';
import sql from 'sql-template-tag';
import { download } from '../../src/media/storage/download.ts';
import type { Services } from '../../src/services.ts';
import { updateTenant } from '../../src/tenants/queries.ts';

/** Stores an inbound message and a copy of its file, as the worker does after a download. Returns the message's id. */
export async function keepFile(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  shop: { id: number; number: { id: number } },
  content: string | Buffer,
): Promise<number> {
  const file = await download(await storage.incoming.make(), Readable.from([Buffer.from(content)]));
  await updateTenant(db, shop.id, { keep_files_days: 30 });
  const { rows } = await db.query<{ id: number }>(sql`
    insert into messages (tenant_id, number_id, direction, person, kind, content)
    values (${shop.id}, ${shop.number.id}, 'in', '+14155550177', 'image', '{}') returning id`);
  const messageId = rows[0]!.id;
  const place = { tenant_id: shop.id, message_id: messageId, copy_id: 0 };
  const { in_bucket } = await storage.put(place, file);
  await db.query(sql`
    with kept as (
      insert into kept_files (tenant_id, message_id, number_id, network_id, due_at, kept_at, size, sha256, mime_type, in_bucket)
      values (${shop.id}, ${messageId}, ${shop.number.id}, ${`file-${messageId}`}, null, now(), ${file.size},
              ${file.sha256}, 'image/png', ${in_bucket})
      returning tenant_id, size
    )
    insert into kept_file_totals as total (tenant_id, files, bytes) select tenant_id, 1, size from kept
    on conflict (tenant_id) do update set files = total.files + 1, bytes = total.bytes + excluded.bytes`);
  return messageId;
}

/** Reads the rows of a tenant's files, and the content of those that are kept. */
export async function readKeptFiles(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  slug: string,
): Promise<{ id: number; content: Buffer | undefined }[]> {
  const { rows } = await db.query<{
    tenant_id: number;
    message_id: number;
    copy_id: number;
    in_bucket: boolean;
    is_kept: boolean;
  }>(sql`
    select tenant_id, message_id, copy_id, in_bucket, kept_at is not null as is_kept from kept_files
    where tenant_id = (select id from tenants where slug = ${slug}) and not is_removed order by message_id`);
  const found: { id: number; content: Buffer | undefined }[] = [];
  for (const row of rows) {
    const body = row.is_kept ? await storage.open(row, undefined) : undefined;
    found.push({ id: row.message_id, content: body && Buffer.concat(await body.toArray()) });
  }
  return found;
}
