import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/**
 * NOTIFY channel. The payload is a tenant's id and the phones whose conversations changed, separated by
 * spaces. Without any phone it means that any conversation of the tenant may have changed.
 */
export const conversationChannel = 'conversation';

const maxPhonesPerPayload = 30;
/**
 * PostgreSQL rejects a payload of 8,000 bytes or more and aborts the transaction. A phone takes 16 bytes, the
 * id of a user with a hidden phone up to 605. The rest leaves room for the tenant's id.
 */
const maxPhonesBytes = 7_900;

/** Notifies changes of the tenant's conversations for the next `forMs` milliseconds. */
export async function watchConversations(db: Db, tenantId: number, forMs: number): Promise<void> {
  await db.query(sql`
    insert into conversation_watches (tenant_id, until)
    values (${tenantId}, now() + ${forMs}::int * interval '1 ms')
    on conflict (tenant_id) do update
      set until = greatest(conversation_watches.until, excluded.until)`);
}

/**
 * A select that notifies the tenant's watchers of changed conversations when the surrounding statement
 * commits. It costs no round trip, and one notification covers many messages.
 *
 * @param changed a CTE with `tenant_id` and `phone`
 */
export function notifyConversations(changed: Sql): Sql {
  return sql`
    select pg_notify(
      ${conversationChannel},
      tenant_id || case when octet_length(phones) <= ${maxPhonesBytes}::int then ' ' || phones else '' end)
    from (
      select tenant_id, string_agg(phone, ' ') as phones
      from (
        select tenant_id, phone, row_number() over (partition by tenant_id) / ${maxPhonesPerPayload}::int as part
        from (select distinct tenant_id, phone from ${changed}) as changes
        where exists (
          select from conversation_watches
          where conversation_watches.tenant_id = changes.tenant_id and until > now())
      ) as parts
      group by tenant_id, part
    ) as payloads`;
}

/**
 * Parses a payload of the channel. No phones means all of them. Returns undefined for the empty payload,
 * which means that notifications may have been missed.
 */
export function readConversationChange(
  payload: string,
): { tenantId: number; phones: string[] } | undefined {
  const [tenantId, ...phones] = payload.split(' ');
  return tenantId ? { tenantId: Number(tenantId), phones } : undefined;
}
