import sql, { type Sql } from 'sql-template-tag';
import { isVisible } from '../../platform/name.ts';
import { groupIdsNow } from '../contact-record.ts';
import { isEmail } from '../schema.ts';

/** What another system knows of a contact. Absent, null and empty fields say nothing. */
export type KnownContact = {
  /** E.164. */
  phone: string;
  firstname?: string | null;
  lastname?: string | null;
  email?: string | null;
  company?: string | null;
  city?: string | null;
  /** For a contact that has no source yet. */
  source_id?: number;
  /** Groups that the contact is added to. */
  group_ids?: number[];
};

/**
 * The texts of a known contact as the schema takes them: one line, 255 characters, null for nothing;
 * an invalid email address is left out.
 */
export function fittedTexts(known: KnownContact) {
  const email = oneLine(known.email);
  return {
    firstname: oneLine(known.firstname),
    lastname: oneLine(known.lastname),
    email: email !== null && isEmail(email) ? email : null,
    company: oneLine(known.company),
    city: oneLine(known.city),
  };
}

/** The columns of a new contact. Without a first name it gets the phone. */
export function newContact(
  tenantId: number,
  known: KnownContact,
): { columns: string; source: Sql } {
  const { phone } = known;
  const { firstname, lastname, email, company, city } = fittedTexts(known);
  return {
    columns: 'tenant_id, phone, firstname, lastname, email, company, city, source_id',
    source: sql`
      values (${tenantId}, ${phone}, coalesce(${firstname}, ${phone}), ${lastname}, ${email},
              ${company}, ${city}, ${existingSource(tenantId, known)})`,
  };
}

/** The id of the source, or null if it no longer exists. */
export function existingSource(tenantId: number, known: KnownContact): Sql {
  return sql`(
    select id from sources
    where tenant_id = ${tenantId} and id = ${known.source_id ?? null} and deleted_at is null
  )`;
}

/** A step of a statement: the ids of the groups that still exist. */
export function wantedGroups(tenantId: number, { group_ids = [] }: KnownContact): Sql {
  return sql`wanted as (
    select id from groups
    where tenant_id = ${tenantId} and id = any(${group_ids}::bigint[]) and deleted_at is null
  )`;
}

/** A condition on `contact`: it is missing from one of the `wanted` groups. */
export const lacksGroups: Sql = sql`exists (
  select id from wanted except select group_id from contact_groups
  where contact_groups.tenant_id = contact.tenant_id and contact_groups.contact_id = contact.id)`;

/** A step of a statement that adds `contact` to the `wanted` groups. */
export const grouped: Sql = sql`grouped as (
  insert into contact_groups (tenant_id, contact_id, group_id)
  select contact.tenant_id, contact.id, wanted.id from contact cross join wanted
  on conflict do nothing
)`;

/** The groups of `contact` after `grouped`. PostgreSQL does not promise to show a statement its own rows. */
export const groupIdsAfter: Sql = sql`to_json(array(
  select unnest(${groupIdsNow}) union select id from wanted order by 1))`;

/** Text as the schema takes it; null when nothing is left. */
function oneLine(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return isVisible(line) ? [...line].slice(0, 255).join('').trimEnd() : null;
}
