import type { Database } from '../platform/database/database.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import type { LabelKind } from './label-kinds.ts';
import { insertLabel } from './queries.ts';
import type { LabelRecord, NewLabel } from './schema.ts';

/** The maximum of each kind. A list has no pages, so that all of it is in one response. */
export const maxLabels = 1_000;

/**
 * Creates a label.
 *
 * @returns undefined if the tenant has `maxLabels` of the kind
 * @throws an error for which `isTakenName` is true if the name is taken
 */
export function createLabel(
  db: Database,
  tenantId: number,
  kind: LabelKind,
  label: NewLabel,
): Promise<LabelRecord | undefined> {
  return withTenantLock(db, tenantId, (tx) => insertLabel(tx, tenantId, kind, label, maxLabels));
}

/** Whether a label could not be written because another one of the kind has its name. */
export function isTakenName(error: { code?: string }): boolean {
  // unique_violation. The name is the only unique column besides the id.
  return error.code === '23505';
}
