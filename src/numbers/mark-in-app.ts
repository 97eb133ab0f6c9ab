import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';

/** Marks a number that is also in the WhatsApp Business app, which limits its rate. */
export async function markInApp(db: Db, tenantId: number, id: number): Promise<void> {
  await db.query(sql`
    update numbers set in_app = true
    where tenant_id = ${tenantId} and id = ${id} and not in_app`);
}
