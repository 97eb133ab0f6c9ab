import sql, { type Sql } from 'sql-template-tag';
import { contactIdentity, contactIdOf } from '../../contacts/contact-identity.ts';
import type { Db } from '../../platform/database/database.ts';
import {
  type Conversation,
  type ConversationRow,
  conversationOf,
  shownConversations,
} from './conversation-queries.ts';
import { personOf } from './person.ts';

/** A view of the inbox. Without any, all conversations. */
export type InboxFilter = {
  /** `unassigned`: open, and nobody answers. `mine`: the open ones of `assignee`. */
  view?: 'unread' | 'unassigned' | 'mine' | undefined;
  assignee?: string;
  /** Our id of the number of the latest message. */
  numberId?: number | undefined;
  /** A label of the contact. */
  label?: { kind: 'status' | 'source' | 'group'; id: number } | undefined;
};

/**
 * Contacts with a label that are looked up one by one, within some 0.3 s. With more, the inbox is read until a page is
 * full, which takes long if few of them have a conversation.
 */
const fewContacts = 20_000;

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
  const isRare = filter.label && (await isRareLabel(db, tenantId, filter.label));
  const { rows } = await db.query<ConversationRow>(
    inboxPage(tenantId, page, filter, isRare ? 'contacts' : 'inbox'),
  );
  return rows.map(conversationOf);
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

type Page = { before: number; limit: number };

/**
 * The statement, exported for a test of its plan.
 *
 * @param by whether a label is searched from its contacts, or along the inbox
 */
export function inboxPage(
  tenantId: number,
  page: Page,
  filter: InboxFilter,
  by: 'contacts' | 'inbox' = 'inbox',
): Sql {
  const shown =
    filter.label && by === 'contacts'
      ? ofFewContacts(tenantId, page, filter.label, passes(filter))
      : alongInbox(tenantId, page, filter);
  return shownConversations(tenantId, sql`(${shown}) as shown`);
}

/** Reads an index of the inbox from the newest conversation on, until the page is full. */
function alongInbox(tenantId: number, { before, limit }: Page, filter: InboxFilter): Sql {
  const { view, numberId, label } = filter;
  const newest = (condition: Sql) => sql`
    select conversations.* from conversations
    where conversations.tenant_id = ${tenantId} and last_message_id < ${before} and ${condition}
      and ${label ? hasLabel(tenantId, label) : sql`true`}
    order by last_message_id desc limit ${limit}`;
  if (view) return newest(passes(filter));
  // One index for one number and for all: the newest of each, then the newest of those.
  return sql`
    select newest.* from numbers
    cross join lateral (${newest(sql`conversations.number_id = numbers.id`)}) as newest
    where numbers.tenant_id = ${tenantId}
      and ${numberId === undefined ? sql`true` : sql`numbers.id = ${numberId}`}
    order by last_message_id desc limit ${limit}`;
}

function ofFewContacts(
  tenantId: number,
  { before, limit }: Page,
  label: NonNullable<InboxFilter['label']>,
  condition: Sql,
): Sql {
  return sql`
    select conversations.*
    from (${contactsWith(tenantId, label)}) as contact
    join conversations on conversations.tenant_id = ${tenantId}
      and conversations.person = ${personOf(tenantId, sql`contact.identity`)}
    where last_message_id < ${before} and ${condition}
    order by last_message_id desc limit ${limit}`;
}

function passes({ view, assignee, numberId }: InboxFilter): Sql {
  const ofNumber = numberId === undefined ? sql`true` : sql`number_id = ${numberId}`;
  if (view === 'unread') return sql`unread > 0 and ${ofNumber}`;
  if (view === 'unassigned') return sql`is_open and assignee is null and ${ofNumber}`;
  if (view === 'mine') return sql`is_open and assignee = ${assignee} and ${ofNumber}`;
  return ofNumber;
}

function contactsWith(tenantId: number, { kind, id }: NonNullable<InboxFilter['label']>): Sql {
  if (kind === 'group') {
    return sql`
      select ${contactIdentity} as identity from contact_groups
      join contacts on contacts.tenant_id = ${tenantId} and contacts.id = contact_id
      where contact_groups.tenant_id = ${tenantId} and group_id = ${id}`;
  }
  const column = kind === 'status' ? sql`status_id` : sql`source_id`;
  return sql`
    select ${contactIdentity} as identity from contacts where contacts.tenant_id = ${tenantId} and ${column} = ${id}`;
}

/** A condition on `conversations`. */
function hasLabel(tenantId: number, { kind, id }: NonNullable<InboxFilter['label']>): Sql {
  const labelled =
    kind === 'group'
      ? sql`exists (
          select from contact_groups
          where contact_groups.tenant_id = ${tenantId} and contact_id = contacts.id and group_id = ${id})`
      : sql`${kind === 'status' ? sql`status_id` : sql`source_id`} = ${id}`;
  return sql`exists (
    select from contacts
    where contacts.tenant_id = ${tenantId} and ${labelled}
      and contacts.id = ${contactIdOf(tenantId, sql`coalesce(conversations.phone, conversations.person)`)})`;
}

async function isRareLabel(
  db: Db,
  tenantId: number,
  label: NonNullable<InboxFilter['label']>,
): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*)::int from (
      ${contactsWith(tenantId, label)} limit ${fewContacts + 1}
    ) as labelled`);
  return rows[0]!.count <= fewContacts;
}
