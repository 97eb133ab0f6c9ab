import sql, { empty, type Sql } from 'sql-template-tag';
import { personOfContact } from '../../../contacts/contact-identity.ts';
import type { Db } from '../../../platform/database/database.ts';
import { hasRows } from '../../../platform/database/has-rows.ts';
import {
  type Conversation,
  type ConversationRow,
  conversationOf,
  shownConversations,
} from '../conversation-queries.ts';
import { contactsWith, hasLabel, type Label } from './label-filter.ts';

/** A view of the inbox. Without any, all conversations. */
export type InboxFilter = {
  /** `unassigned`: open, and nobody answers. `mine`: the open ones of `assignee`. */
  view?: 'unread' | 'unassigned' | 'mine' | undefined;
  assignee?: string;
  /** Our id of the number of the latest message. */
  numberId?: number | undefined;
};

/** A label of at most this many contacts is searched from these. */
const fewContacts = 800;
/** The maximum number of conversations that a page by any other label looks at. */
const maxLookedUp = 1_000;

/**
 * Lists conversations, the one with the newest message first.
 *
 * @param before the id of a conversation's last message: lists only conversations without a newer one
 */
export async function listConversations(
  db: Db,
  tenantId: number,
  { before, limit, filter = {} }: { before?: number; limit: number; filter?: InboxFilter },
): Promise<Conversation[]> {
  const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit };
  return (await db.query<ConversationRow>(inboxPage(tenantId, page, filter))).rows.map(
    conversationOf,
  );
}

/**
 * Lists conversations whose contact has a label. A page may have fewer than `limit` of them, or none, and still not be
 * the last one, because it looks only at the newest conversations.
 *
 * @returns `next` is the `before` of the next page; null after the last one
 */
export async function listLabelled(
  db: Db,
  tenantId: number,
  {
    before,
    limit,
    filter,
    label,
  }: { before?: number | undefined; limit: number; filter: InboxFilter; label: Label },
): Promise<{ found: Conversation[]; next: number | null }> {
  const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit };
  const contacts = contactsWith(tenantId, label);
  const isOfMany = await hasRows(db, sql`${contacts} offset ${fewContacts} limit 1`);
  const after = isOfMany ? await findEndOfScan(db, tenantId, page, filter) : undefined;
  const statement = isOfMany
    ? inboxPage(tenantId, { ...page, after }, filter, label)
    : labelledPage(tenantId, page, filter, label);
  const found = (await db.query<ConversationRow>(statement)).rows.map(conversationOf);
  if (found.length === limit) return { found, next: found.at(-1)!.last.id };
  return { found, next: after === undefined ? null : after + 1 };
}

/** Finds the newest conversation that a page by a label does not look at any more; undefined if it looks at all. */
async function findEndOfScan(
  db: Db,
  tenantId: number,
  page: Page,
  filter: InboxFilter,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(endOfScan(tenantId, page, filter));
  return rows[0]?.id;
}

/** The statement, exported for a benchmark. */
export function endOfScan(tenantId: number, page: Range, filter: InboxFilter): Sql {
  const rows = sql`${newest(tenantId, page, filter, sql`last_message_id`)} limit ${maxLookedUp + 1}`;
  return sql`
    select last_message_id as id from (${ofNumbers(tenantId, filter, rows)}) as conversations
    order by last_message_id desc offset ${maxLookedUp} limit 1`;
}

/** Counts the conversations with unread messages, up to `max`, and finds the newest message. */
export async function countUnread(
  db: Db,
  tenantId: number,
  max: number,
): Promise<{ count: number; newest: number }> {
  const { rows } = await db.query<{ count: number; newest: number }>(sql`
    select count(*)::int as count,
           coalesce((select max(id) from messages where messages.tenant_id = ${tenantId}), 0) as newest
    from (
      select from conversations
      where tenant_id = ${tenantId} and unread > 0 and last_message_id is not null limit ${max}
    ) as unread`);
  return rows[0]!;
}

/** Finds a conversation by its key; undefined if its latest message is deleted, or if it has none. */
export async function findConversation(
  db: Db,
  tenantId: number,
  person: string,
): Promise<Conversation | undefined> {
  const { rows } = await db.query<ConversationRow>(
    shownConversations(
      tenantId,
      sql`(
        select * from conversations
        where conversations.tenant_id = ${tenantId} and conversations.person = ${person}
      ) as shown`,
    ),
  );
  return rows.map(conversationOf)[0];
}

/** The conversations between the ids of two messages, without both. */
type Range = { before: number; after?: number | undefined };
type Page = Range & { limit: number };

/**
 * The statement that reads the inbox from the newest conversation on, exported for a test of its plan.
 *
 * @param label looks each conversation up, so that the range must be a small one
 */
export function inboxPage(tenantId: number, page: Page, filter: InboxFilter, label?: Label): Sql {
  const { limit } = page;
  const rows = newest(tenantId, page, filter);
  const found = ofNumbers(
    tenantId,
    filter,
    label
      ? sql`
          select conversations.* from (${rows}) as conversations
          where ${hasLabel(tenantId, label)} order by last_message_id desc limit ${limit}`
      : sql`${rows} limit ${limit}`,
  );
  return shownConversations(
    tenantId,
    sql`(select * from (${found}) as found order by last_message_id desc limit ${limit}) as shown`,
  );
}

/** The statement that reads all contacts with a label, exported for a benchmark. */
export function labelledPage(
  tenantId: number,
  { before, limit }: Page,
  filter: InboxFilter,
  label: Label,
): Sql {
  return shownConversations(
    tenantId,
    sql`(
      select conversations.* from (${contactsWith(tenantId, label)}) as contacts
      cross join lateral (
        select * from conversations
        where conversations.tenant_id = ${tenantId} and person = ${personOfContact(tenantId)}
        limit 1
      ) as conversations
      where last_message_id < ${before} and ${passes(filter)}
      order by last_message_id desc limit ${limit}
    ) as shown`,
  );
}

/** The conversations of a view, or without a view, of a row of `numbers`. Each has an index. */
function newest(
  tenantId: number,
  { before, after }: Range,
  filter: InboxFilter,
  columns = sql`conversations.*`,
): Sql {
  return sql`
    select ${columns} from conversations
    where conversations.tenant_id = ${tenantId} and last_message_id < ${before}
      ${after === undefined ? empty : sql`and last_message_id > ${after}`}
      and ${filter.view ? passes(filter) : sql`conversations.number_id = numbers.id`}
    order by last_message_id desc`;
}

/** One index serves one number and all: the newest of each, then the newest of those. */
function ofNumbers(tenantId: number, { view, numberId }: InboxFilter, found: Sql): Sql {
  if (view) return found;
  return sql`
    select newest.* from numbers
    cross join lateral (${found}) as newest
    where numbers.tenant_id = ${tenantId}
      and ${numberId === undefined ? sql`true` : sql`numbers.id = ${numberId}`}`;
}

function passes({ view, assignee, numberId }: InboxFilter): Sql {
  const ofNumber = numberId === undefined ? sql`true` : sql`number_id = ${numberId}`;
  if (view === 'unread') return sql`unread > 0 and ${ofNumber}`;
  if (view === 'unassigned') return sql`is_open and assignee is null and ${ofNumber}`;
  if (view === 'mine') return sql`is_open and assignee = ${assignee} and ${ofNumber}`;
  return ofNumber;
}
