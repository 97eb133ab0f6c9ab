import type { Db } from '../../platform/database/database.ts';
import type { TemplateReport } from '../../whatsapp/callbacks/read-callback.ts';
import { requestPacedSync } from './request-template-sync.ts';
import { setTemplateStatus } from './sync-queries.ts';

/**
 * Stores the reported statuses of templates, and requests a sync, because a report does not include
 * the text and other changes.
 */
export async function applyTemplateReports(
  db: Db,
  tenantId: number,
  reports: TemplateReport[],
): Promise<void> {
  for (const report of reports) await setTemplateStatus(db, tenantId, report);
  await requestPacedSync(db, tenantId);
}
