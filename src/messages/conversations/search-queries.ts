import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { notErased } from '../queries.ts';
import {
  type Conversation,
  type ConversationRow,
  conversationOf,
  windowUntil,
} from './conversation-queries.ts';

/** More digits than any phone has after its beginning. */
const lastDigits = '9'.repeat(16);

/**
 * Phones with messages that begin so, going from phone to phone in the index, however many messages
 * each has.
 *
 * @param beginning a + and digits
 */
export async function findPhonesWithMessages(
  db: Db,
  tenantId: number,
  beginning: string,
  atMost: number,
): Promise<string[]> {
  const { rows } = await db.query<{ phone: string }>(
    phonesByBeginning(tenantId, beginning, atMost),
  );
  return rows.map(({ phone }) => phone);
}

/** The statement by itself, so that it can be seen how it is run. */
export function phonesByBeginning(tenantId: number, beginning: string, atMost: number): Sql {
  const next = (isFurther: Sql) => sql`
    select phone from messages
    where tenant_id = ${tenantId} and ${isFurther} and phone <= ${beginning + lastDigits}
    order by phone limit 1`;
  return sql`
    with recursive walked as (
      (select phone, 1 as place from (${next(sql`phone >= ${beginning}`)}) as first)
      union all
      select further.phone, place + 1
      from walked cross join lateral (${next(sql`phone > walked.phone`)}) as further
      where place < ${atMost}
    )
    select phone from walked where starts_with(phone, ${beginning})`;
}

/**
 * The conversations of these phones, the one with the newest message first.
 *
 * @param phones in any of their forms, and as often as may be
 */
export async function findConversations(
  db: Db,
  tenantId: number,
  phones: string[],
  atMost: number,
): Promise<Conversation[]> {
  const { rows } = await db.query<ConversationRow>(conversationsOf(tenantId, phones, atMost));
  return rows.map(conversationOf);
}

/** The statement by itself, so that it can be seen how it is run. */
export function conversationsOf(tenantId: number, phones: string[], atMost: number): Sql {
  return sql`
    with form as (
      select distinct unnest(phone_forms(phone)) as phone
      from unnest(${phones}::text[]) as asked (phone)
    ), newest as (
      select tenant_id, form.phone, id from form cross join lateral (
        select tenant_id, id from messages
        -- As a range in the order of the index, so that no other can be taken.
        where tenant_id = ${tenantId} and phone between form.phone and form.phone
        order by phone desc, id desc limit 1
      ) as message
    ), found as (
      -- Where the newest is deleted with its contact, all are.
      select distinct on (phone_identity(phone)) id from newest as messages
      where ${notErased}
      order by phone_identity(phone), id desc
    ), shown as (
      select id from found order by id desc limit ${atMost}
    )
    select last.*, ${windowUntil} as window_until
    from shown join messages as last on last.tenant_id = ${tenantId} and last.id = shown.id
    order by last.id desc`;
}
