import type { AuditAction } from '../../audit/actions.ts';
import { type AuditChange, recordAudit } from '../../audit/record-audit.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StoreRow } from '../queries.ts';

/** Records what happened to a store, in the transaction of the change. */
export async function recordStore(
  tx: Db,
  action: Extract<AuditAction, `store.${string}`>,
  store: Pick<StoreRow, 'tenant_id' | 'id' | 'name'>,
  changes: AuditChange[] = [],
): Promise<void> {
  await recordAudit(tx, store.tenant_id, { action, subject: store, changes });
}
