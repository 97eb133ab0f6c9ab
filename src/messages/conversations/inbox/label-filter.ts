import sql, { type Sql } from 'sql-template-tag';
import { contactIdOf } from '../../../contacts/contact-identity.ts';

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

/** A condition on `conversations`: the contact has the label. */
export function hasLabel(tenantId: number, { kind, id }: Label): Sql {
  const labelled =
    kind === 'group'
      ? sql`exists (
          select from contact_groups
          where contact_groups.tenant_id = ${tenantId} and contact_id = contacts.id and group_id = ${id})`
      : sql`${kind === 'status' ? sql`status_id` : sql`source_id`} = ${id}`;
  return sql`exists (
    select from contacts
    where contacts.tenant_id = ${tenantId} and ${labelled}
      and contacts.id = ${contactIdOf(tenantId, sql`coalesce(conversations.phone, conversations.person)`)})`;
}
