import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import type { Services } from '../../services.ts';
import { findSharedPlaces, isShared } from './shared-places.ts';

type Cell = Pick<Services, 'db' | 'config'>;
type SharedRow = { message_id: number; copy_id: number; in_bucket: boolean };

const batchSize = 1_000;

/**
 * Forgets the files of a tenant that is deleted in one cell, if the other cell uses them in the same place.
 * Otherwise the worker would remove them.
 *
 * @param cells the one in which the tenant is deleted, and the other one
 * @param db of it
 * @param given.otherId undefined if the other cell no longer has the tenant. A third one may use all files in a shared
 *   place, so they stay
 */
export async function forgetSharedFiles(
  { cell, other }: { cell: Cell; other: Cell },
  db: Db,
  { tenantId, otherId }: { tenantId: number; otherId: number | undefined },
): Promise<void> {
  const places = await findSharedPlaces(cell, other);
  const kinds = [true, false].filter((in_bucket) =>
    isShared(places, [tenantId, otherId ?? tenantId], { in_bucket }),
  );
  if (kinds.length === 0) return;
  if (otherId === undefined) {
    await db.query(sql`
      delete from kept_files where tenant_id = ${tenantId} and in_bucket = any(${kinds})`);
    return;
  }
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await db.query<SharedRow>(sql`
      select message_id, copy_id, in_bucket from kept_files
      where tenant_id = ${tenantId} and message_id > ${after} and in_bucket = any(${kinds})
      order by message_id limit ${batchSize}`);
    const { rows: shared } = await other.db.query<SharedRow>(sql`
      select message_id, copy_id, in_bucket from kept_files
      where tenant_id = ${otherId} and kept_at is not null and (message_id, copy_id, in_bucket) in (
        select message_id, copy_id, in_bucket
        from ${rowsOf('given', rows, {
          message_id: ['bigint', (row) => row.message_id],
          copy_id: ['integer', (row) => row.copy_id],
          in_bucket: ['boolean', (row) => row.in_bucket],
        })})`);
    const ids = shared.map(({ message_id }) => message_id);
    await db.query(sql`
      delete from kept_files where tenant_id = ${tenantId} and message_id = any(${ids})`);
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.message_id;
  }
}
