import sql, { type Sql } from 'sql-template-tag';

/** The identity of a row of `contacts` under which it is written to: its phone, otherwise its user id. */
export const contactIdentity: Sql = sql`coalesce(contacts.phone, 'user:' || contacts.user_id)`;

/**
 * Selects the id of the contact with an identity: a phone in any of its forms, or `user:` and a user id. Null if
 * there is none. Two lookups, because a generic plan of an `or` might read all contacts of the tenant.
 */
export function contactIdOf(tenantId: Sql | number, identity: Sql | string): Sql {
  return sql`case when starts_with(${identity}, 'user:') then (
      select known.id from contacts as known
      where known.tenant_id = ${tenantId} and known.user_id = substr(${identity}, 6)
    ) else (
      select known.id from contacts as known
      where known.tenant_id = ${tenantId} and known.phone_identity = phone_identity(${identity})
    ) end`;
}

/** Builds the key of the conversation of a row of `contacts`: that of its present phone or user id. */
export function personOfContact(tenantId: number): Sql {
  // The stored form of the phone, because computing it for each of many contacts takes longer than the lookups.
  const identity = sql`coalesce(contacts.phone_identity, 'user:' || contacts.user_id)`;
  return sql`coalesce(
    (select alias.person from conversation_aliases as alias
     where alias.tenant_id = ${tenantId} and alias.identity = ${identity}),
    ${identity})`;
}
