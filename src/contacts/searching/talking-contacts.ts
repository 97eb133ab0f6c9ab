import sql, { empty, type Sql } from 'sql-template-tag';
import { lowestId } from '../../messages/conversations/person.ts';
import type { Db } from '../../platform/database/database.ts';
import { contactIdOf, personOfContact } from '../contact-identity.ts';

/** The value of contacts without a message, which come after all others. */
export const noMessage: Sql = sql`${lowestId} - 1`;

/**
 * Selects the contacts with a message, the latest message first. One index serves one number and all: the newest of each,
 * then the newest of those.
 *
 * @param max the number of conversations of each number that are looked up
 */
export function talkingContacts(
  tenantId: number,
  condition: Sql,
  before: number,
  { offset, limit, max }: { offset: number; limit: number; max: number },
): Sql {
  const looked = newestOf(tenantId, { before }, { offset: 0, limit: max });
  return sql`
    select newest.id, newest.key::text as key from numbers
    cross join lateral (
      select contacts.id, conversations.last_message_id as key
      from (${looked}) as ${conversationsOfContacts(tenantId)}
      where ${condition}
      order by conversations.last_message_id desc limit ${offset + limit}
    ) as newest
    where numbers.tenant_id = ${tenantId}
    order by newest.key desc offset ${offset} limit ${limit}`;
}

/** Selects conversations of a row of `numbers`, the newest first. */
export function newestOf(
  tenantId: number,
  { before, after }: { before: number; after?: number | undefined },
  { offset, limit }: { offset: number; limit: number },
): Sql {
  return sql`
    select conversations.* from conversations
    where conversations.tenant_id = ${tenantId} and conversations.number_id = numbers.id
      and conversations.last_message_id < ${before}
      ${after === undefined ? empty : sql`and conversations.last_message_id > ${after}`}
    order by conversations.last_message_id desc offset ${offset} limit ${limit}`;
}

/** Counts the contacts with a message that pass a condition. */
export async function countTalking(db: Db, tenantId: number, condition: Sql): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) from ${conversationsOfContacts(tenantId)}
    where conversations.last_message_id is not null and ${condition}`);
  return rows[0]!.count;
}

/** Each contact has one conversation: that of its present phone or user id. */
function conversationsOfContacts(tenantId: number): Sql {
  return sql`
    conversations join contacts on conversations.tenant_id = ${tenantId}
      and contacts.tenant_id = ${tenantId}
      and contacts.id = ${contactIdOf(tenantId, sql`coalesce(conversations.phone, conversations.person)`)}
      and conversations.person = ${personOfContact(tenantId)}`;
}

/** Selects the id of the latest message with a contact; null if there is none. */
export function lastMessageOf(tenantId: number): Sql {
  return sql`
    select conversations.last_message_id from conversations
    where conversations.tenant_id = ${tenantId}
      and conversations.person = ${personOfContact(tenantId)}`;
}
