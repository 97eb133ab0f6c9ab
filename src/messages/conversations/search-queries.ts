import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { notErased } from '../queries.ts';
import {
  type Conversation,
  type ConversationRow,
  conversationOf,
  windowUntil,
} from './conversation-queries.ts';

/** Sorts after every phone with the same prefix: more digits than any phone has. */
const lastDigits = '9'.repeat(16);

/**
 * Finds phones with messages by their prefix. Skips from phone to phone in the index, so the number of
 * messages of each does not matter.
 *
 * @param prefix a + and digits
 */
export async function findPhonesWithMessages(
  db: Db,
  tenantId: number,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ phone: string }>(phonesByPrefix(tenantId, prefix, limit));
  return rows.map(({ phone }) => phone);
}

/** The statement, exported for a test of its plan. */
export function phonesByPrefix(tenantId: number, prefix: string, limit: number): Sql {
  const nextPhone = (condition: Sql) => sql`
    select phone from messages
    where tenant_id = ${tenantId} and ${condition} and phone <= ${prefix + lastDigits}
    order by phone limit 1`;
  return sql`
    with recursive walked as (
      (select phone, 1 as position from (${nextPhone(sql`phone >= ${prefix}`)}) as first)
      union all
      select further.phone, position + 1
      from walked cross join lateral (${nextPhone(sql`phone > walked.phone`)}) as further
      where position < ${limit}
    )
    select phone from walked where starts_with(phone, ${prefix})`;
}

/**
 * Finds the conversations of phones, the one with the newest message first.
 *
 * @param phones in any of their forms, with repeats
 */
export async function findConversations(
  db: Db,
  tenantId: number,
  phones: string[],
  limit: number,
): Promise<Conversation[]> {
  const { rows } = await db.query<ConversationRow>(conversationsOf(tenantId, phones, limit));
  return rows.map(conversationOf);
}

/** The statement, exported for a test of its plan. */
export function conversationsOf(tenantId: number, phones: string[], limit: number): Sql {
  return sql`
    with form as (
      select distinct unnest(phone_forms(phone)) as phone
      from unnest(${phones}::text[]) as requested (phone)
    ), newest as (
      select tenant_id, form.phone, id from form cross join lateral (
        select tenant_id, id from messages
        -- A range in index order, so that the planner can use no other index.
        where tenant_id = ${tenantId} and phone between form.phone and form.phone
        order by phone desc, id desc limit 1
      ) as message
    ), found as (
      -- If the newest was deleted with its contact, all were.
      select distinct on (phone_identity(phone)) id from newest as messages
      where ${notErased}
      order by phone_identity(phone), id desc
    ), shown as (
      select id from found order by id desc limit ${limit}
    )
    select last.*, ${windowUntil} as window_until
    from shown join messages as last on last.tenant_id = ${tenantId} and last.id = shown.id
    order by last.id desc`;
}
