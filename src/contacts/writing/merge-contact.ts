import sql, { raw, type Sql } from 'sql-template-tag';
import { byField, optionalFieldNames } from '../fields/contact-fields.ts';
import { currentLabel } from '../fields/contact-record.ts';
import { type KnownField, knownFields } from './known-contact.ts';

/** How known fields change an existing contact: `upsert` replaces its fields, `fill` sets empty ones. */
export type MergeMode = 'upsert' | 'fill';

/** The columns that a merge can change. */
export const mergedNames = [...knownFields, 'source_id'] as const;

export type Merged = Record<KnownField | 'source_id', Sql>;

/**
 * The columns of an existing `contact` after the `given` fields are merged into it, as SQL expressions.
 * First and last name are one field, so that a contact never gets half of another person's name. A first
 * name that is the contact's phone counts as none.
 *
 * @param given SQL expressions of the columns' types, null for unknown fields
 */
export function mergedColumns(mode: MergeMode, given: Merged): Merged {
  return mode === 'upsert' ? upserted(given) : filled(given);
}

function upserted(given: Merged): Merged {
  // A first name alone does not contradict the full name of the same person.
  const keepsName = sql`(${given.firstname} is null or ${given.lastname} is null
    and searchable(${given.firstname}) in (searchable(contact.firstname), searchable(contact.lastname)))`;
  return {
    ...byField(optionalFieldNames, (name) => sql`coalesce(${given[name]}, contact.${raw(name)})`),
    firstname: sql`case when ${keepsName} then contact.firstname else ${given.firstname} end`,
    lastname: sql`case when ${keepsName} then contact.lastname else ${given.lastname} end`,
    source_id: mergedSource(given),
  };
}

function filled(given: Merged): Merged {
  const isNameless = sql`(contact.firstname = contact.phone and contact.lastname is null)`;
  return {
    ...byField(optionalFieldNames, (name) => sql`coalesce(contact.${raw(name)}, ${given[name]})`),
    firstname: sql`case when ${isNameless} then coalesce(${given.firstname}, contact.firstname)
      else contact.firstname end`,
    lastname: sql`coalesce(contact.lastname,
      case when ${isNameless} or searchable(contact.firstname) = searchable(${given.firstname})
      then ${given.lastname} end)`,
    source_id: mergedSource(given),
  };
}

/** A deleted source that the contact still has gives way to a given one, but without one nothing changes. */
function mergedSource({ source_id: given }: Merged): Sql {
  return sql`coalesce(${currentLabel('sources', sql`contact`)}, ${given}, contact.source_id)`;
}
