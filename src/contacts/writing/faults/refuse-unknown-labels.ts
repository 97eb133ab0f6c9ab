import type { Db } from '../../../platform/database/database.ts';
import { type FieldErrors, invalid } from '../../../platform/errors/api-error.ts';
import { findKnownLabels } from '../../queries.ts';
import type { ContactChange } from '../../schema.ts';
import { unknownLabels } from './contact-errors.ts';

type Labels = Pick<ContactChange, 'status_id' | 'source_id' | 'group_ids'>;

/** @throws ApiError 422 on labels that the tenant does not have, or no longer has */
export async function refuseUnknownLabels(db: Db, tenantId: number, labels: Labels): Promise<void> {
  const unknown = await findUnknownLabels(db, tenantId, labels);
  if (unknown) throw invalid(unknown);
}

/** Finds the faults of labels that the tenant does not have; undefined if it has all of them. */
export async function findUnknownLabels(
  db: Db,
  tenantId: number,
  labels: Labels,
): Promise<FieldErrors | undefined> {
  if (!labels.status_id && !labels.source_id && !labels.group_ids?.length) return undefined;
  const unique = { ...labels, group_ids: [...new Set(labels.group_ids)] };
  const unknown = unknownLabels(await findKnownLabels(db, tenantId, unique));
  return Object.keys(unknown).length > 0 ? unknown : undefined;
}
