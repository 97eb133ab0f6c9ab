import { invalid } from '../errors.ts';
import type { Db } from '../platform/database.ts';
import { unknownLabels } from './label-errors.ts';
import { findLabels } from './queries.ts';
import type { ContactChange } from './schema.ts';

/** @throws ApiError 422 on labels that are not the tenant's */
export async function checkLabels(
  db: Db,
  tenantId: number,
  { status_id, source_id, group_ids }: Pick<ContactChange, 'status_id' | 'source_id' | 'group_ids'>,
): Promise<void> {
  const asked = { status_id, source_id, group_ids: [...new Set(group_ids)] };
  const unknown = unknownLabels(await findLabels(db, tenantId, asked));
  if (Object.keys(unknown).length > 0) throw invalid(unknown);
}
