import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { contactIdentity, contactIdOf } from '../contact-identity.ts';
import { holdsText, indexedTextHolds, isInNoField, newTextHolds } from './search-texts.ts';

/**
 * Finds the identities of contacts whose name, phone or email contains a text, in no order. Unlike a search for a page
 * of contacts, it stops at `limit`, and records no `contact.read` events.
 *
 * @param search not empty
 */
export async function findPhones(
  db: Db,
  tenantId: number,
  search: string,
  limit: number,
): Promise<string[]> {
  if (isInNoField(search)) return [];
  const { rows } = await db.query<{ phone: string }>(phonesByText(tenantId, search, limit));
  return rows.map(({ phone }) => phone);
}

/** Builds the statement. Exported so that a test can check its plan. */
export function phonesByText(tenantId: number, search: string, limit: number): Sql {
  const term = sql`(select term.text from term)`;
  return sql`
    with term as materialized (
      select searchable(${search}) as text
    ), indexed as materialized (
      select contact_id as id from search_texts
      where ${indexedTextHolds(tenantId, term)}
      limit ${limit}
    ), recent as materialized (
      select contact_id as id from new_search_texts
      where ${newTextHolds(tenantId, term)}
      limit ${limit}
    )
    -- An array, because a generic plan of a join might read all contacts.
    select ${contactIdentity} as phone from contacts
    where tenant_id = ${tenantId}
      and id = any(array(select id from indexed union all select id from recent limit ${limit}))`;
}

/** Returns those of the identities whose contact's name, phone or email contains a text. */
export async function findPhonesAmong(
  db: Db,
  tenantId: number,
  search: string,
  phones: string[],
): Promise<string[]> {
  const { rows } = await db.query<{ phone: string }>(sql`
    select asked.phone
    from unnest(${phones}::text[]) as asked (phone)
    join contacts on contacts.tenant_id = ${tenantId}
      and contacts.id = ${contactIdOf(tenantId, sql`asked.phone`)}
    where ${holdsText(search)}`);
  return rows.map(({ phone }) => phone);
}
