import sql, { type Sql } from 'sql-template-tag';
import {
  byField,
  type ContactFieldName,
  contactFieldNames,
  contactFields,
  optionalFieldNames,
} from '../fields/contact-fields.ts';
import { groupIdsNow } from '../fields/contact-record.ts';
import { eachColumn } from '../fields/field-columns.ts';
import { fieldTypes } from '../fields/field-types.ts';

/** A field of a contact that another system can know. The phone identifies the contact instead. */
export type KnownField = Exclude<ContactFieldName, 'phone'>;

export const knownFields = contactFieldNames.filter((name): name is KnownField => name !== 'phone');

/** A contact as another system knows it. Absent, null and empty fields are unknown. */
export type KnownContact = Partial<Record<KnownField, string | null>> & {
  /** E.164. */
  phone: string;
  /** For a contact that has no source yet. */
  source_id?: number;
  /** Groups that the contact is added to. */
  group_ids?: number[];
};

/** Makes the fields of a known contact valid; null for unknown and unusable values. */
export function fittedTexts(known: KnownContact): Record<KnownField, string | null> {
  return byField(knownFields, (name) =>
    fieldTypes[contactFields[name].type].fit(known[name] ?? ''),
  );
}

/** The columns of a new contact. Without a first name it gets the phone. */
export function newContact(
  tenantId: number,
  known: KnownContact,
): { columns: string; source: Sql } {
  const { phone } = known;
  const texts = fittedTexts(known);
  return {
    columns: `tenant_id, phone, firstname, ${optionalFieldNames.join(', ')}, source_id`,
    source: sql`
      values (${tenantId}, ${phone}, coalesce(${texts.firstname}, ${phone}),
              ${eachColumn(optionalFieldNames, (name) => sql`${texts[name]}`)},
              ${existingSource(tenantId, known)})`,
  };
}

/** The id of the source, or null if it no longer exists. */
export function existingSource(tenantId: number, known: KnownContact): Sql {
  return sql`(
    select id from sources
    where tenant_id = ${tenantId} and id = ${known.source_id ?? null} and deleted_at is null
  )`;
}

/** A CTE with the ids of the groups that still exist. */
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

/** A CTE that adds `contact` to the `wanted` groups. */
export const grouped: Sql = sql`grouped as (
  insert into contact_groups (tenant_id, contact_id, group_id)
  select contact.tenant_id, contact.id, wanted.id from contact cross join wanted
  on conflict do nothing
)`;

/** The groups of `contact` after `grouped`. A statement does not see the rows that it inserts itself. */
export const groupIdsAfter: Sql = sql`to_json(array(
  select unnest(${groupIdsNow}) union select id from wanted order by 1))`;
