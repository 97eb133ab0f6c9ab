import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { readTopicMark, type WatchedTopic, watchChannel } from '../../../tenants/watched-topics.ts';
import { personOf } from '../person.ts';

/** A changed conversation, and the message of it that is new or has another status. */
export type ConversationChange = { phone: string; messageId: number | undefined };

const maxChangesPerPayload = 30;
/**
 * PostgreSQL rejects a payload of 8,000 bytes or more and aborts the transaction. A change takes about 30
 * bytes, or up to 625 with the id of a user with a hidden phone. The rest leaves room for the tenant's id.
 */
const maxChangesBytes = 7_900;

/**
 * Notifies changes of the tenant's conversations for the next `forMs` milliseconds.
 *
 * @returns the id of its transaction. Statements that began before its end may still notify nobody
 */
export async function watchConversations(db: Db, tenantId: number, forMs: number): Promise<string> {
  const { rows } = await db.query<{ transaction: string }>(sql`
    insert into conversation_watches (tenant_id, until)
    values (${tenantId}, now() + ${forMs}::int * interval '1 ms')
    on conflict (tenant_id) do update
      set until = greatest(conversation_watches.until, excluded.until)
    returning pg_current_xact_id()::text as transaction`);
  return rows[0]!.transaction;
}

/** A change in a payload. */
export function changeText(phone: Sql, messageId: Sql): Sql {
  return sql`${phone} || '=' || coalesce(${messageId}::text, '')`;
}

/**
 * A select that notifies the tenant's watchers of changed conversations when the surrounding statement
 * commits. It costs no round trip, and one notification covers many messages.
 *
 * @param changed a CTE with `tenant_id` and `phone`
 * @param messageId the column with the id of the message that is new or has another status, if there is one
 */
export function notifyConversations(changed: Sql, messageId: Sql = sql`null`): Sql {
  return sql`
    select pg_notify(
      ${watchChannel},
      tenant_id || case when octet_length(texts) <= ${maxChangesBytes}::int then ' ' || texts else '' end)
    from (
      select tenant_id, string_agg(${changeText(sql`phone`, sql`message_id`)}, ' ') as texts
      from (
        select tenant_id, phone, message_id,
               row_number() over (partition by tenant_id) / ${maxChangesPerPayload}::int as part
        from (
          select distinct tenant_id, phone, ${messageId}::bigint as message_id from ${changed}
        ) as changes
        where exists (
          select from conversation_watches
          where conversation_watches.tenant_id = changes.tenant_id and until > now())
      ) as parts
      group by tenant_id, part
    ) as payloads`;
}

/**
 * A select that notifies watchers of the conversations with contacts whose name has changed, with one notification
 * for each. Contacts without a conversation notify nobody.
 *
 * @param contacts a CTE with `tenant_id`, `phone` and `user_id`
 */
export function notifyOfContacts(contacts: Sql): Sql {
  return sql`
    select pg_notify(${watchChannel}, tenant_id || ' ' || ${changeText(sql`identity`, sql`null`)})
    from (
      select tenant_id, coalesce(phone, 'user:' || user_id) as identity from ${contacts}
    ) as named
    -- One after the other, because most tenants have no watcher.
    where case when (
        select true from conversation_watches as watch
        where watch.tenant_id = named.tenant_id and until > now()
      ) then (
        -- A condition on the message would also fit the index of the inbox, which has no person.
        select last_message_id is not null from conversations as known
        where known.tenant_id = named.tenant_id
          and known.person = ${personOf(sql`named.tenant_id`, sql`named.identity`)}
      ) end`;
}

/**
 * A select that notifies watchers that any of their tenant's conversations may have changed, when the surrounding
 * statement commits. Browsers then read again what they show, and drop what is gone.
 *
 * @param changed a CTE with `tenant_id`
 */
export function notifyAnyConversation(changed: Sql): Sql {
  return sql`
    select pg_notify(${watchChannel}, conversation_watches.tenant_id::text)
    from conversation_watches
    where until > now() and tenant_id in (select tenant_id from ${changed})`;
}

export type WatchedChanges = {
  tenantId: number;
  changes: ConversationChange[];
  topics: WatchedTopic[];
};

/**
 * Parses a payload of the channel: a tenant's id and its changes or topics, separated by spaces. Neither means that
 * anything may have changed. Returns undefined for the empty payload, which means that notifications may have been
 * missed.
 */
export function readWatchedChanges(payload: string): WatchedChanges | undefined {
  const [tenantId, ...texts] = payload.split(' ');
  if (!tenantId) return undefined;
  const topics = texts.flatMap((text) => readTopicMark(text) ?? []);
  const changes = texts.filter((text) => !readTopicMark(text)).map(readChange);
  return { tenantId: Number(tenantId), changes, topics };
}

function readChange(text: string): ConversationChange {
  // The id of a user with a hidden phone may contain the sign too.
  const at = text.lastIndexOf('=');
  if (at < 0) return { phone: text, messageId: undefined };
  return { phone: text.slice(0, at), messageId: Number(text.slice(at + 1)) || undefined };
}
