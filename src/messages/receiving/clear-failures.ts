import sql from 'sql-template-tag';
import { clearFailures } from '../../numbers/state/record-failures.ts';
import type { Hearing } from '../../numbers/state/record-heard.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StatusReport } from '../../whatsapp/callbacks/read-callback.ts';
import { hasNetworkId } from '../queries.ts';

/**
 * Ends the report that messages fail because of their number, if one of these statuses proves that a message that was
 * sent ten minutes after the last failure, or later, was delivered. Messages from before arrive for weeks, when their
 * phones are switched on.
 */
export async function clearFailuresBefore(
  db: Db,
  tenantId: number,
  { id, failedAt }: Hearing,
  statuses: StatusReport[],
): Promise<void> {
  const delivered = statuses.filter(({ status }) => status === 'delivered' || status === 'read');
  if (failedAt === null || delivered.length === 0) return;
  const { rowCount } = await db.query(sql`
    select from unnest(${delivered.map(({ networkId }) => networkId)}::text[]) as delivered (network_id)
    join message_states as state
      on state.tenant_id = ${tenantId} and ${hasNetworkId(sql`delivered.network_id`)}
    where state.created_at > ${failedAt}::timestamptz + interval '10 minutes' limit 1`);
  if (rowCount === 1) await clearFailures(db, tenantId, id, failedAt);
}
