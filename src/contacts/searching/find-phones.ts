import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { holdsText, indexedTextHolds, isInNoField, newTextHolds } from './search-texts.ts';

/**
 * Phones of contacts whose name, phone or email holds a text, as the contact search finds them, in no
 * order. Unlike a search for a page of contacts it stops at so many, and is no reading that the
 * tenant's webhook is told of.
 *
 * @param search not empty
 * @returns at most `atMost`
 */
export async function findPhones(
  db: Db,
  tenantId: number,
  search: string,
  atMost: number,
): Promise<string[]> {
  if (isInNoField(search)) return [];
  const { rows } = await db.query<{ phone: string }>(phonesByText(tenantId, search, atMost));
  return rows.map(({ phone }) => phone);
}

/** The statement by itself, so that it can be seen how it is run. */
export function phonesByText(tenantId: number, search: string, atMost: number): Sql {
  const term = sql`(select term.text from term)`;
  return sql`
    with term as materialized (
      select searchable(${search}) as text
    ), indexed as materialized (
      select contact_id as id from search_texts
      where ${indexedTextHolds(tenantId, term)}
      limit ${atMost}
    ), recent as materialized (
      select contact_id as id from new_search_texts
      where ${newTextHolds(tenantId, term)}
      limit ${atMost}
    )
    -- As an array, so that a kept plan cannot read all contacts to join them.
    select phone from contacts
    where tenant_id = ${tenantId}
      and id = any(array(select id from indexed union all select id from recent limit ${atMost}))`;
}

/** Of these phones, those whose contact's name, phone or email holds a text. */
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
      and contacts.phone_identity = phone_identity(asked.phone)
    where ${holdsText(search)}`);
  return rows.map(({ phone }) => phone);
}
