import sql, { type Sql } from 'sql-template-tag';

/**
 * The search text of a contact is in `search_texts`, which has an index of the n-grams of all texts. Until it is
 * moved there, it is in `new_search_texts`. It has a line for each field.
 */

/** Returns whether no field can contain a text, because it has a line break. */
export function isInNoField(search: string): boolean {
  return search.includes('\n');
}

/** Builds the condition that a row of `contacts` contains a text. */
export function holdsText(search: string): Sql {
  if (isInNoField(search)) return sql`false`;
  return sql`strpos(
    search_text(contacts.firstname, contacts.lastname, contacts.phone, contacts.email, contacts.username),
    searchable(${search})) > 0`;
}

/** Builds the same condition for `search_texts`, by the index. @param term normalized by `searchable` */
export function indexedTextHolds(tenantId: number, term: Sql): Sql {
  // The n-grams already contain the tenant. The sum keeps a generic plan from also scanning all texts of the tenant
  // by another index.
  return sql`tenant_id + 0 = ${tenantId}
    and search_grams(tenant_id, text) @@ (select search_query(${tenantId}, ${term}))
    and strpos(text, ${term}) > 0`;
}

/** Builds the same condition for `new_search_texts`, which has few rows. @param term normalized by `searchable` */
export function newTextHolds(tenantId: number, term: Sql): Sql {
  return sql`tenant_id = ${tenantId} and strpos(text, ${term}) > 0`;
}
