import sql from 'sql-template-tag';
import { findPeople } from '../../../contacts/searching/find-people.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Conversation } from '../../conversations/conversation-queries.ts';
import {
  findConversation,
  listConversations,
} from '../../conversations/inbox/list-conversations.ts';
import { presentRecord } from '../present-record.ts';
import { findRecords } from './find-records.ts';

/**
 * Lists the conversations of a tenant, in the form of the API, the one with the newest message first.
 *
 * @param before the id of a conversation's last message: lists only conversations without a newer one
 * @returns `next` is the id before which the next page begins; undefined at the end
 */
export async function listConversationRecords(
  db: Db,
  tenantId: number,
  {
    before,
    limit,
    numberId,
  }: { before: number | undefined; limit: number; numberId: number | undefined },
) {
  const page = { ...(before !== undefined && { before }), limit: limit + 1, filter: { numberId } };
  const found = await listConversations(db, tenantId, page);
  const shown = found.slice(0, limit);
  const conversations = await presentConversations(db, tenantId, shown);
  return { conversations, next: found.length > limit ? shown.at(-1)?.last.id : undefined };
}

/** Finds the conversation with a person in the form of the API, by its key; undefined if it has no messages. */
export async function findConversationRecord(db: Db, tenantId: number, person: string) {
  const found = await findConversation(db, tenantId, person);
  return found && (await presentConversations(db, tenantId, [found]))[0];
}

async function presentConversations(db: Db, tenantId: number, shown: Conversation[]) {
  const ids = shown.map(({ last }) => last.id);
  const assignees = shown.flatMap(({ assignee }) => assignee ?? []);
  const [records, names, people] = await Promise.all([
    findRecords(db, tenantId, ids),
    findMemberNames(db, tenantId, assignees),
    findPeople(
      db,
      tenantId,
      shown.map(({ phone }) => phone),
    ),
  ]);
  const recordOf = new Map(records.map((row) => [row.id, presentRecord(row)]));
  return shown.flatMap(({ phone, last, unread, is_open, assignee, window_until }) => {
    const record = recordOf.get(last.id);
    // Deleted with its contact a moment ago.
    if (!record) return [];
    const { phone_number, user_id, contact_id, number } = record;
    return {
      phone_number,
      user_id,
      contact_id,
      name: people.get(phone)?.name ?? null,
      number,
      last_message: record,
      unread,
      is_open,
      assignee: assignee === null ? null : { id: assignee, name: names.get(assignee) ?? null },
      window_until: window_until?.toISOString() ?? null,
    };
  });
}

async function findMemberNames(
  db: Db,
  tenantId: number,
  userIds: string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(sql`
    select account."id" as id, account."name" as name
    from members join auth."user" as account on account."id" = members.user_id
    where members.tenant_id = ${tenantId} and members.user_id = any(${userIds}::text[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
