import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { lowestId } from '../../messages/conversations/person.ts';
import type { Db } from '../../platform/database/database.ts';
import { contactIdOf, personOfContact } from '../contact-identity.ts';
import type { ContactSort } from '../schema.ts';
import { foundBy, type ListFilter, type Reach } from './list-filter.ts';

/** The place of a contact in a list: the value that it is sorted by, as text, and its id. */
export type Place = { key: string; id: number };

type Page = { after: Place | undefined; offset: number; limit: number };
type List = { reach: Reach; filter: ListFilter; sort: ContactSort };

/** The value of contacts without a message, which come after all others. */
const noMessage: Sql = sql`${lowestId} - 1`;

/**
 * The maximum number of conversations of each number, and of contacts, that a page by latest message looks up one by one,
 * besides those before it. If others could be on the page, all contacts that pass are read.
 */
const maxLookedUp = 10_000;

/** By what a list is sorted, as an SQL expression on `contacts`. Ids grow in the order of creation. */
const keys: Record<ContactSort, { key: (tenantId: number) => Sql; type: string }> = {
  created_at: { key: () => sql`contacts.id`, type: 'bigint' },
  '-created_at': { key: () => sql`contacts.id`, type: 'bigint' },
  updated_at: { key: () => sql`contacts.updated_at`, type: 'timestamptz' },
  firstname: { key: () => sql`searchable(contacts.firstname) collate "C"`, type: 'text' },
  '-last_message_at': {
    key: (tenantId) => sql`coalesce((${lastMessageOf(tenantId)}), ${noMessage})`,
    type: 'bigint',
  },
};

/** Finds the places of one page of contacts, in the order of the list. */
export async function findPage(db: Db, tenantId: number, list: List, page: Page): Promise<Place[]> {
  const { reach, sort } = list;
  const found =
    reach === 'page' && sort === '-last_message_at'
      ? await alongConversations(db, tenantId, list, page)
      : undefined;
  if (found) return found;
  const isAlongIndex = reach === 'page' && sort !== '-last_message_at';
  const { rows } = await db.query<Place>(
    isAlongIndex ? alongIndex(tenantId, list, page) : sorted(tenantId, list, page),
  );
  return rows;
}

/** Reads all contacts that pass, and sorts them by `found.key`: in `order by`, `key` would mean the text that is returned. */
function sorted(tenantId: number, { reach, filter, sort }: List, page: Page): Sql {
  const { withHits, condition } = foundBy(reach, tenantId, filter);
  return sql`
    with ${withHits} found as materialized (
      select contacts.id, ${keys[sort].key(tenantId)} as key from contacts where ${condition}
    )
    select found.id, found.key::text as key from found
    where ${isAfter(sort, sql`found.key`, sql`found.id`, page.after)}
    ${inOrder(sort, sql`found.key`, sql`found.id`, page)}`;
}

/** Reads the contacts along an index until the page is full. Exported so that a test can check its plan. */
export function alongIndex(tenantId: number, { reach, filter, sort }: List, page: Page): Sql {
  const { condition } = foundBy(reach, tenantId, filter);
  const key = keys[sort].key(tenantId);
  const id = sql`contacts.id`;
  return sql`
    select contacts.id, (${key})::text as key from contacts
    where ${condition} and ${isAfter(sort, key, id, page.after)}
    ${inOrder(sort, key, id, page)}`;
}

function isAfter(sort: ContactSort, key: Sql, id: Sql, after: Place | undefined): Sql {
  if (!after) return sql`true`;
  const sign = raw(sort.startsWith('-') ? '<' : '>');
  if (isById(sort)) return sql`${id} ${sign} ${after.id}`;
  return sql`(${key}, ${id}) ${sign} (${after.key}::${raw(keys[sort].type)}, ${after.id}::bigint)`;
}

function inOrder(sort: ContactSort, key: Sql, id: Sql, { offset, limit }: Page): Sql {
  const direction = raw(sort.startsWith('-') ? 'desc' : 'asc');
  return sql`
    order by ${isById(sort) ? empty : sql`${key} ${direction},`} ${id} ${direction}
    offset ${offset} limit ${limit}`;
}

function isById(sort: ContactSort): boolean {
  return sort === 'created_at' || sort === '-created_at';
}

/**
 * Reads the conversations from the newest on, and after them the contacts without one.
 *
 * @returns undefined if too few were looked up for the page to be complete
 */
async function alongConversations(
  db: Db,
  tenantId: number,
  { reach, filter }: List,
  { after, offset, limit }: Page,
): Promise<Place[] | undefined> {
  const { condition } = foundBy(reach, tenantId, filter);
  const begin = Number(after?.key ?? Number.MAX_SAFE_INTEGER);
  const isPastMessages = after !== undefined && begin < -Number.MAX_SAFE_INTEGER;
  const max = maxLookedUp + offset + limit;
  const hasMore = async (rest: Sql) => (await db.query(rest)).rows.length > 0;
  const talking = isPastMessages
    ? []
    : (await db.query<Place>(talkingContacts(tenantId, condition, begin, { offset, limit, max })))
        .rows;
  const isFull = talking.length === limit;
  // A conversation that was not looked up belongs on a full page only if it is newer than the last one there.
  const range = { before: begin, after: isFull ? Number(talking.at(-1)!.key) : undefined };
  const further = newestOf(tenantId, range, { offset: max, limit: 1 });
  const isLong = sql`
    select from numbers cross join lateral (${further}) as further
    where numbers.tenant_id = ${tenantId} limit 1`;
  if (!isPastMessages && (await hasMore(isLong))) return undefined;
  if (isFull) return talking;
  // More than `offset`, if messages arrived between the two statements.
  const skipped =
    isPastMessages || offset === 0 || talking.length > 0
      ? 0
      : await countTalking(db, tenantId, condition);
  const others = sql`
    select contacts.* from contacts
    where ${condition} and contacts.id < ${isPastMessages ? after.id : Number.MAX_SAFE_INTEGER}
    order by contacts.id desc`;
  const { rows: silent } = await db.query<Place>(sql`
    select contacts.id, (${noMessage})::text as key from (${others} limit ${max}) as contacts
    where (${lastMessageOf(tenantId)}) is null
    order by contacts.id desc
    offset ${isPastMessages || talking.length === 0 ? Math.max(0, offset - skipped) : 0}
    limit ${limit - talking.length}`);
  const found = [...talking, ...silent];
  const isAll = found.length === limit || !(await hasMore(sql`${others} offset ${max} limit 1`));
  return isAll ? found : undefined;
}

/** One index for one number and for all: the newest of each, then the newest of those. */
function talkingContacts(
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
function newestOf(
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

async function countTalking(db: Db, tenantId: number, condition: Sql): Promise<number> {
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
function lastMessageOf(tenantId: number): Sql {
  return sql`
    select conversations.last_message_id from conversations
    where conversations.tenant_id = ${tenantId}
      and conversations.person = ${personOfContact(tenantId)}`;
}
