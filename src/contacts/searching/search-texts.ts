import sql, { type Sql } from 'sql-template-tag';

/**
 * The searched text of a contact is in `search_texts`, which has an index of the parts of all texts,
 * or until it is moved there in `new_search_texts`. It has a line for each field.
 */

/** Whether nothing can hold a text: no field holds a line break. */
export function isInNoField(search: string): boolean {
  return search.includes('\n');
}

/** The condition, in a statement that has `contacts`, that a contact holds a text. */
export function holdsText(search: string): Sql {
  if (isInNoField(search)) return sql`false`;
  return sql`strpos(
    search_text(contacts.firstname, contacts.lastname, contacts.phone, contacts.email),
    searchable(${search})) > 0`;
}

/** The same of `search_texts`, by the index. @param term made `searchable` */
export function indexedTextHolds(tenantId: number, term: Sql): Sql {
  // The grams hold the tenant already. As a sum, so that a kept plan cannot gather all texts of the
  // tenant beside those that the grams find.
  return sql`tenant_id + 0 = ${tenantId}
    and search_grams(tenant_id, text) @@ (select search_query(${tenantId}, ${term}))
    and strpos(text, ${term}) > 0`;
}

/** The same of `new_search_texts`, which has few rows. @param term made `searchable` */
export function newTextHolds(tenantId: number, term: Sql): Sql {
  return sql`tenant_id = ${tenantId} and strpos(text, ${term}) > 0`;
}
