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
  /** A label of the contact. */
  label?: Label | undefined;
};

/** A label of at most this many contacts is searched from these immediately. */
const fewContacts = 1_000;
/** The maximum number of conversations of each number that are looked up one by one for a label. */
const maxLookedUp = 10_000;

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
  const { label } = filter;
  const rows = label
    ? await findLabelled(db, tenantId, page, filter, label)
    : (await db.query<ConversationRow>(inboxPage(tenantId, page, filter))).rows;
  return rows.map(conversationOf);
}

/**
 * Looks among the newest conversations of each number. Only if others could be on the page too, it reads all contacts
 * with the label.
 */
async function findLabelled(
  db: Db,
  tenantId: number,
  page: Page,
  filter: InboxFilter,
  label: Label,
): Promise<ConversationRow[]> {
  const contacts = contactsWith(tenantId, label);
  if (await hasRows(db, sql`${contacts} offset ${fewContacts} limit 1`)) {
    const { rows } = await db.query<ConversationRow>(inboxPage(tenantId, page, filter));
    // A conversation that was not looked up belongs on a full page only if it is newer than the last one there.
    const after = rows.length === page.limit ? rows.at(-1)!.id : undefined;
    const rest = sql`${newest(tenantId, { ...page, after }, filter)} offset ${maxLookedUp} limit 1`;
    if (!(await hasRows(db, ofNumbers(tenantId, filter, rest)))) return rows;
  }
  return (await db.query<ConversationRow>(labelledPage(tenantId, page, filter, label))).rows;
}

/** Counts the conversations with unread messages, up to `max`. */
export async function countUnread(db: Db, tenantId: number, max: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*)::int from (
      select from conversations
      where tenant_id = ${tenantId} and unread > 0 and last_message_id is not null limit ${max}
    ) as unread`);
  return rows[0]!.count;
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
 * The statement that reads the inbox from the newest conversation on, exported for a test of its plan. For a label, it
 * reads a part.
 */
export function inboxPage(tenantId: number, page: Page, filter: InboxFilter): Sql {
  const { limit } = page;
  const { label } = filter;
  const rows = newest(tenantId, page, filter);
  const found = ofNumbers(
    tenantId,
    filter,
    label
      ? sql`
          select conversations.* from (${rows} limit ${maxLookedUp}) as conversations
          where ${hasLabel(tenantId, label)} order by last_message_id desc limit ${limit}`
      : sql`${rows} limit ${limit}`,
  );
  return shownConversations(
    tenantId,
    sql`(select * from (${found}) as found order by last_message_id desc limit ${limit}) as shown`,
  );
}

/** The statement that reads all contacts with a label, exported for a test of its plan. */
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
function newest(tenantId: number, { before, after }: Range, filter: InboxFilter): Sql {
  return sql`
    select conversations.* from conversations
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
