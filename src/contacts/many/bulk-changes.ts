import { recordAudit } from '../../audit/record-audit.ts';
import type { Database } from '../../platform/database/database.ts';
import { type ContactFilter, fieldsOfFilter } from '../searching/contact-filter.ts';
import { auditedLabels } from './assign-contacts.ts';
import { type BulkChange, type BulkRow, endBulk, insertBulk, isDeletion } from './bulk-queries.ts';

/** Starts a change of all contacts that pass a filter; undefined while another one is running. */
export function startBulk(
  db: Database,
  tenantId: number,
  filter: ContactFilter,
  change: BulkChange,
): Promise<BulkRow | undefined> {
  return db.transaction(async (tx) => {
    const started = await insertBulk(tx, tenantId, filter, change);
    if (started) {
      await recordAudit(tx, tenantId, {
        action: isDeletion(change) ? 'contacts.deleted' : 'contacts.changed',
        subject: { id: started.id, name: null },
        changes: [
          ...(isDeletion(change) ? [] : await auditedLabels(tx, tenantId, change)),
          { field: 'filter', after: fieldsOfFilter(filter) },
        ],
      });
    }
    return started;
  });
}

/** Stops a running change. Contacts that were already changed stay so. @returns whether it was running */
export function stopBulk(db: Database, tenantId: number, id: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isStopped = await endBulk(tx, tenantId, id, 'stopped');
    if (isStopped) {
      const subject = { id, name: null };
      await recordAudit(tx, tenantId, { action: 'contacts.change_stopped', subject });
    }
    return isStopped;
  });
}
