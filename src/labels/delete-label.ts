import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../platform/database/database.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';
import { markLabelDeleted } from './queries.ts';
import type { LabelRecord } from './schema.ts';

/**
 * Deletes a label. Its contacts no longer show it; `unsetLabels` updates their rows later.
 *
 * @returns undefined if the tenant has no such label
 */
export function deleteLabel(
  db: Database,
  tenantId: number,
  kind: LabelKind,
  id: number,
): Promise<LabelRecord | undefined> {
  return db.transaction(async (tx) => {
    const label = await markLabelDeleted(tx, tenantId, kind, id);
    if (label) {
      const changes = [{ field: 'kind', before: labelKinds[kind].one }];
      await recordAudit(tx, tenantId, { action: 'label.deleted', subject: label, changes });
    }
    return label;
  });
}
