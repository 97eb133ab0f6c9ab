import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/** NOTIFY channel: the payload is a tenant's id and phones whose conversations changed, by spaces. */
export const conversationChannel = 'conversation';

/** A payload has at most 8,000 bytes, and what stands for a phone at most 205 characters. */
const phonesInPayload = 30;

/** From now on, and for so long, changes of the tenant's conversations are notified. */
export async function watchConversations(db: Db, tenantId: number, forMs: number): Promise<void> {
  await db.query(sql`
    insert into conversation_watches (tenant_id, until)
    values (${tenantId}, now() + ${forMs}::int * interval '1 ms')
    on conflict (tenant_id) do update
      set until = greatest(conversation_watches.until, excluded.until)`);
}

/**
 * A select that tells who watches of changed conversations when the statement around it commits: it
 * costs no round trip, and one notification for many messages.
 *
 * @param changed a CTE with `tenant_id` and `phone`
 */
export function notifyConversations(changed: Sql): Sql {
  return sql`
    select pg_notify(${conversationChannel}, tenant_id || ' ' || string_agg(phone, ' '))
    from (
      select tenant_id, phone, row_number() over (partition by tenant_id) / ${phonesInPayload}::int as part
      from (select distinct tenant_id, phone from ${changed}) as each_once
      where exists (
        select from conversation_watches
        where conversation_watches.tenant_id = each_once.tenant_id and until > now())
    ) as parts
    group by tenant_id, part`;
}

/** The tenant and phones of a payload; undefined for one that says that some were missed. */
export function readConversationChange(
  payload: string,
): { tenantId: number; phones: string[] } | undefined {
  const [tenantId, ...phones] = payload.split(' ');
  return tenantId ? { tenantId: Number(tenantId), phones } : undefined;
}
