import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';

/** Stores whether a number is also in the WhatsApp Business app, which limits its rate. */
export async function markInApp(
  db: Db,
  tenantId: number,
  id: number,
  isInApp: boolean,
): Promise<void> {
  await db.query(sql`
    update numbers set in_app = ${isInApp}
    where tenant_id = ${tenantId} and id = ${id} and in_app <> ${isInApp}`);
}
