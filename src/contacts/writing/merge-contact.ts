import sql, { type Sql } from 'sql-template-tag';

/** What is known does to a contact that exists: `upsert` replaces fields, `fill` sets empty ones. */
export type MergeMode = 'upsert' | 'fill';

const columns = ['firstname', 'lastname', 'email', 'company', 'city', 'source_id'] as const;

export type Merged = Record<(typeof columns)[number], Sql>;

/**
 * The columns of an existing `contact` after what is `given` is merged into it, as SQL expressions.
 * First and last name are one field, so that a contact never gets half of somebody else's name. A first
 * name that is the contact's phone stands for none.
 *
 * @param given SQL expressions of type text (`source_id`: bigint), null where nothing is known
 */
export function mergedColumns(mode: MergeMode, given: Merged): Merged {
  return mode === 'upsert' ? upserted(given) : filled(given);
}

function upserted(given: Merged): Merged {
  // A first name alone does not contradict the full name of the same person.
  const keepsName = sql`(${given.firstname} is null or ${given.lastname} is null
    and lower(${given.firstname}) in (lower(contact.firstname), lower(contact.lastname)))`;
  return {
    firstname: sql`case when ${keepsName} then contact.firstname else ${given.firstname} end`,
    lastname: sql`case when ${keepsName} then contact.lastname else ${given.lastname} end`,
    email: sql`coalesce(${given.email}, contact.email)`,
    company: sql`coalesce(${given.company}, contact.company)`,
    city: sql`coalesce(${given.city}, contact.city)`,
    source_id: sql`coalesce(contact.source_id, ${given.source_id})`,
  };
}

function filled(given: Merged): Merged {
  const isNameless = sql`(contact.firstname = contact.phone and contact.lastname is null)`;
  return {
    firstname: sql`case when ${isNameless} then coalesce(${given.firstname}, contact.firstname)
      else contact.firstname end`,
    lastname: sql`coalesce(contact.lastname,
      case when ${isNameless} or lower(contact.firstname) = lower(${given.firstname})
      then ${given.lastname} end)`,
    email: sql`coalesce(contact.email, ${given.email})`,
    company: sql`coalesce(contact.company, ${given.company})`,
    city: sql`coalesce(contact.city, ${given.city})`,
    source_id: sql`coalesce(contact.source_id, ${given.source_id})`,
  };
}
