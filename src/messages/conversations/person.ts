import sql, { raw, type Sql } from 'sql-template-tag';

/** Below the id of every message. Those from before a number was connected have negative ids. */
export const lowestId: Sql = raw('-9007199254740991');

/** Builds the key of the conversation that an identity leads to: a phone in any form, or `user:...`. */
export function personOf(tenantId: Sql | number, identity: Sql | string): Sql {
  return sql`coalesce(
    (select alias.person from conversation_aliases as alias
     where alias.tenant_id = ${tenantId} and alias.identity = phone_identity(${identity})),
    phone_identity(${identity}))`;
}

/** The phone of a message, as it was given. */
export const phoneOfMessage: Sql = sql`coalesce(messages.phone, messages.person)`;

/**
 * Builds the insert or update of the conversations of new messages. All statements lock conversations in this
 * order.
 *
 * @param added a CTE with the tenant_id, person, id, number_id and phone of outbound messages
 * @param isByMember an expression on its rows: whether a member wrote the message
 */
export function conversationsOfSent(added: Sql, isByMember: Sql): Sql {
  return sql`
    insert into conversations as conversation (tenant_id, person, number_id, last_message_id, phone, is_taken)
    select distinct on (tenant_id, person) tenant_id, person, number_id, id, nullif(phone, person), ${isByMember}
    from ${added}
    order by tenant_id, person, id desc
    on conflict (tenant_id, person) do update set
      ${latestMessage},
      is_taken = conversation.is_taken or excluded.is_taken`;
}

/** A conversation with a new message. An older message can be inserted after a newer one. */
export const latestMessage: Sql = sql`
  last_message_id = greatest(conversation.last_message_id, excluded.last_message_id),
  number_id = case when excluded.last_message_id > coalesce(conversation.last_message_id, ${lowestId})
    then excluded.number_id else conversation.number_id end,
  phone = case when excluded.last_message_id > coalesce(conversation.last_message_id, ${lowestId})
    -- A person whose phone is known keeps it if a later message comes without.
    and not (starts_with(coalesce(excluded.phone, conversation.person), 'user:')
      and (starts_with(conversation.phone, '+') or starts_with(conversation.person, '+')) is true)
    then excluded.phone else conversation.phone end`;

/** The number of the latest message with a person, if it is one of `ids`. */
export function latestNumber(tenantId: Sql, person: Sql, ids: Sql): Sql {
  return sql`(
    select conversation.number_id from conversations as conversation
    where conversation.tenant_id = ${tenantId} and conversation.person = ${person}
      and conversation.last_message_id > coalesce(conversation.removed_to, ${lowestId})
      and conversation.number_id = any(${ids}))`;
}
