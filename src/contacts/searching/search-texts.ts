import sql, { type Sql } from 'sql-template-tag';

/**
 * The search text of a contact is in `search_texts`, which has an index of the n-grams of all texts. Until it is
 * moved there, it is in `new_search_texts`. It has a line for each field.
 */

/** Returns whether no field can contain a text, because it has a line break. */
export function isInNoField(search: string): boolean {
  return search.includes('\n');
}

/**
 * Builds the condition that a row of `contacts` contains a text.
 *
 * @param withUsernames whether the WhatsApp username counts too, as in every search but that of the API's contract
 */
export function holdsText(search: string, withUsernames = true): Sql {
  if (isInNoField(search)) return sql`false`;
  const username = withUsernames ? sql`contacts.username` : sql`null`;
  return sql`strpos(
    search_text(contacts.firstname, contacts.lastname, contacts.phone, contacts.email, ${username}),
    searchable(${search})) > 0`;
}

/** Builds the same condition for `search_texts`, by the index. @param term normalized by `searchable` */
export function indexedTextHolds(tenantId: number, term: Sql, withUsernames = true): Sql {
  // The n-grams already contain the tenant. The sum keeps a generic plan from also scanning all texts of the tenant
  // by another index.
  return sql`tenant_id + 0 = ${tenantId}
    and search_grams(tenant_id, text) @@ (select search_query(${tenantId}, ${term}))
    and ${holds(term, withUsernames)}`;
}

/** Builds the same condition for `new_search_texts`, which has few rows. @param term normalized by `searchable` */
export function newTextHolds(tenantId: number, term: Sql, withUsernames = true): Sql {
  return sql`tenant_id = ${tenantId} and ${holds(term, withUsernames)}`;
}

/**
 * A last line is the username if it is not the only one, no phone, which begins with +, and no email, which has an @.
 */
const textWithoutUsername = sql`regexp_replace(text, '\\n[^@+\\n][^@\\n]*$', '')`;

function holds(term: Sql, withUsernames: boolean): Sql {
  // A parameter, because a named statement always has the same text.
  return sql`strpos(text, ${term}) > 0
    and (${withUsernames}::boolean or strpos(${textWithoutUsername}, ${term}) > 0)`;
}
