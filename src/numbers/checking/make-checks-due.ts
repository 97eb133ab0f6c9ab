import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/** Makes the checks of numbers due, of some or of all of an account, but each at most every five minutes. */
export async function makeChecksDue(
  db: Db,
  tenantId: number,
  { ids = [], accounts = [] }: { ids?: number[]; accounts?: string[] },
): Promise<void> {
  const soonest = sql`greatest(now(), coalesce(checked_at + interval '5 minutes', now()))`;
  await db.query(sql`
    update numbers set check_due_at = ${soonest}
    where tenant_id = ${tenantId} and (id = any(${ids}) or business_account_id = any(${accounts}))
      and disconnected_at is null and check_due_at > ${soonest}`);
}
