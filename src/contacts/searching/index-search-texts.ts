import sql from 'sql-template-tag';
import { throttle } from '../../platform/concurrency/throttle.ts';
import type { Database } from '../../platform/database/database.ts';

/** Texts per statement. Changes of these contacts wait for its end. */
const batchSize = 1_000;

/**
 * Moves the new search texts of all tenants to the indexed table. Several processes can do this at the same time.
 */
export async function indexSearchTexts(
  db: Database,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const move = () => moveSearchTexts(db, batchSize);
  while (!isStopping() && (await throttle(move)) === batchSize);
}

/**
 * Moves up to `limit` new search texts in one statement, and then flushes the index's list of pending entries, which
 * every search would otherwise scan.
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
    -- If a contact was changed while its text was moved, the table has its outdated text.
    on conflict (tenant_id, contact_id) do update set text = excluded.text`);
  if (rowCount) await db.query(sql`select gin_clean_pending_list('search_texts_grams')`);
  return rowCount ?? 0;
}
