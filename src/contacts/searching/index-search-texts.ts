import sql from 'sql-template-tag';
import type { Database } from '../../platform/database/database.ts';
import { throttle } from '../../platform/throttle.ts';

/** The most texts moved at once: while they are, who changes one of these contacts waits. */
const batchSize = 1_000;

/**
 * Moves new search texts of all tenants to where the index finds them. As many processes as want
 * can do it at once.
 */
export async function indexSearchTexts(
  db: Database,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const move = () => moveSearchTexts(db, batchSize);
  while (!isStopping() && (await throttle(move)) === batchSize);
}

/**
 * Moves some new search texts in one statement, then puts what the index has put off in its place:
 * every search would have to read through it, and in bulk that is the cheapest.
 *
 * @returns how many were moved
 */
export async function moveSearchTexts(db: Database, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    with due as (
      select tenant_id, contact_id from new_search_texts
      order by tenant_id, contact_id limit ${limit}
      for update skip locked
    ), moved as (
      delete from new_search_texts using due
      where new_search_texts.tenant_id = due.tenant_id
        and new_search_texts.contact_id = due.contact_id
      returning new_search_texts.*
    )
    insert into search_texts (tenant_id, contact_id, text)
    select tenant_id, contact_id, text from moved
    -- A contact that was changed while its text was being moved has the outdated one there.
    on conflict (tenant_id, contact_id) do update set text = excluded.text`);
  if (rowCount) await db.query(sql`select gin_clean_pending_list('search_texts_grams')`);
  return rowCount ?? 0;
}
