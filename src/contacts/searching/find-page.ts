import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { hasRows } from '../../platform/database/has-rows.ts';
import type { ContactSort } from '../schema.ts';
import { foundBy, type ListFilter, type Reach } from './list-filter.ts';
import {
  countTalking,
  lastMessageOf,
  newestOf,
  noMessage,
  talkingContacts,
} from './talking-contacts.ts';

/** The place of a contact in a list: the value that it is sorted by, as text, and its id. */
export type Place = { key: string; id: number };

type Page = { after: Place | undefined; offset: number; limit: number };
type List = { reach: Reach; filter: ListFilter; sort: ContactSort };

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
  if (!isPastMessages && (await hasRows(db, isLong))) return undefined;
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
  const isAll =
    found.length === limit || !(await hasRows(db, sql`${others} offset ${max} limit 1`));
  return isAll ? found : undefined;
}
