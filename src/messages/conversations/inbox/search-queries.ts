import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import {
  type Conversation,
  type ConversationRow,
  conversationOf,
  shownConversations,
} from '../conversation-queries.ts';
import { lowestId, personOf } from '../person.ts';

/** Sorts after every phone with the same prefix: more digits than any phone has. */
const lastDigits = '9'.repeat(16);

/**
 * Finds the keys of conversations by the prefix of a phone that the person has or had.
 *
 * @param prefix a + and digits
 */
export async function findPersonsByPhone(
  db: Db,
  tenantId: number,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ person: string }>(personsByPrefix(tenantId, prefix, limit));
  return rows.map(({ person }) => person);
}

/** The statement, exported for a test of its plan. */
export function personsByPrefix(tenantId: number, prefix: string, limit: number): Sql {
  const last = prefix + lastDigits;
  return sql`
    (select person from conversations
     where tenant_id = ${tenantId} and person >= ${prefix} and person <= ${last}
       and starts_with(person, ${prefix})
     order by person limit ${limit})
    union
    (select person from conversation_aliases
     where tenant_id = ${tenantId} and identity >= ${prefix} and identity <= ${last}
       and starts_with(identity, ${prefix})
     order by identity limit ${limit})
    limit ${limit}`;
}

/**
 * Finds conversations, the one with the newest message first.
 *
 * @param phones in any of their forms, with repeats
 * @param persons keys of further conversations
 */
export async function findConversations(
  db: Db,
  tenantId: number,
  { phones, persons }: { phones: string[]; persons: string[] },
  limit: number,
): Promise<Conversation[]> {
  const found = conversationsOf(tenantId, { phones, persons }, limit);
  const { rows } = await db.query<ConversationRow>(found);
  return rows.map(conversationOf);
}

/** The statement, exported for a test of its plan. */
export function conversationsOf(
  tenantId: number,
  { phones, persons }: { phones: string[]; persons: string[] },
  limit: number,
): Sql {
  const requested = sql`
    select ${personOf(tenantId, sql`phone`)} as person from unnest(${phones}::text[]) as asked (phone)
    union
    select person from unnest(${persons}::text[]) as known (person)`;
  return shownConversations(
    tenantId,
    sql`(
      select conversation.*
      from (${requested}) as requested
      cross join lateral (
        select * from conversations
        -- A range in index order, so that the planner can use no other index.
        where tenant_id = ${tenantId} and person between requested.person and requested.person
        order by person limit 1
      ) as conversation
      where last_message_id > coalesce(removed_to, ${lowestId})
      order by last_message_id desc limit ${limit}
    ) as shown`,
  );
}
