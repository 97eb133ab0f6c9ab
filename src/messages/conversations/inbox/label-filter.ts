import sql, { type Sql } from 'sql-template-tag';

/** A label of contacts, by which the inbox is filtered. */
export type Label = { kind: 'status' | 'source' | 'group'; id: number };

/** Selects the phones and user ids of the contacts with a label. */
export function contactsWith(tenantId: number, { kind, id }: Label): Sql {
  if (kind === 'group') {
    return sql`
      select phone_identity, user_id from contact_groups
      join contacts on contacts.tenant_id = ${tenantId} and contacts.id = contact_id
      where contact_groups.tenant_id = ${tenantId} and group_id = ${id}`;
  }
  const column = kind === 'status' ? sql`status_id` : sql`source_id`;
  return sql`
    select phone_identity, user_id from contacts
    where contacts.tenant_id = ${tenantId} and ${column} = ${id}`;
}

/**
 * A condition on `conversations`: the contact has the label. No `exists`, for which PostgreSQL may read all contacts with
 * the label.
 */
export function hasLabel(tenantId: number, { kind, id }: Label): Sql {
  const labelled =
    kind === 'group'
      ? sql`(
          select true from contact_groups
          where contact_groups.tenant_id = ${tenantId} and contact_id = contacts.id and group_id = ${id})`
      : sql`${kind === 'status' ? sql`status_id` : sql`source_id`} = ${id}`;
  const identity = sql`coalesce(conversations.phone, conversations.person)`;
  return sql`case when starts_with(${identity}, 'user:') then (
      select ${labelled} from contacts
      where contacts.tenant_id = ${tenantId} and contacts.user_id = substr(${identity}, 6)
    ) else (
      select ${labelled} from contacts
      where contacts.tenant_id = ${tenantId} and phone_identity = phone_identity(${identity})
    ) end`;
}
