import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/** Makes a tenant's next sync due now; a worker starts it within seconds. */
export async function requestTemplateSync(db: Db, tenantId: number): Promise<void> {
  await db.query(sql`
    insert into template_syncs (tenant_id, due_at) values (${tenantId}, now())
    on conflict (tenant_id) do update set due_at = least(template_syncs.due_at, now())`);
}
