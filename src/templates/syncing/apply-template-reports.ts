import type { Db } from '../../platform/database/database.ts';
import type { TemplateReport } from '../../whatsapp/read-callback.ts';
import { setTemplateStatus } from '../queries.ts';
import { requestTemplateSync } from './request-template-sync.ts';

/**
 * Takes over the states of templates that the network reported, at once, and has the whole list
 * fetched soon: a report tells neither the text nor what else has changed.
 */
export async function applyTemplateReports(
  db: Db,
  tenantId: number,
  reports: TemplateReport[],
): Promise<void> {
  for (const report of reports) await setTemplateStatus(db, tenantId, report);
  await requestTemplateSync(db, tenantId);
}
