import sql, { empty, type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { totalOf } from '../queries.ts';
import {
  areFew,
  type ContactFilter,
  few,
  fewHaveLabel,
  hasLabels,
  passes,
  searchHits,
} from './contact-filter.ts';

/** The filters of the API's list. */
export type ListFilter = ContactFilter & {
  phone?: string;
  email?: string;
  external_id?: string;
  /** Milliseconds since 1970. Records show their times in whole milliseconds. */
  updatedAfterMs?: number;
};

/**
 * How the contacts that pass a filter are found:
 * - all: few pass without the search, so all of them are read
 * - hits: few contain the searched text, so the search index finds them
 * - page: many pass, so the contacts are read in the order of the list until a page is full
 */
export type Reach = 'all' | 'hits' | 'page';

/** Finds out how many contacts pass each part of a filter, up to a limit. */
export async function findReach(db: Db, tenantId: number, filter: ListFilter): Promise<Reach> {
  const { search = '', updatedAfterMs } = filter;
  if (filter.phone ?? filter.email ?? filter.external_id) return 'all';
  const changed = (afterMs: number) =>
    areFew(sql`select from contacts where tenant_id = ${tenantId} and ${isUpdatedAfter(afterMs)}`);
  const { rows } = await db.query<{ few_pass: boolean; few_hits: boolean }>(sql`
    ${search === '' ? empty : sql`with ${searchHits(tenantId, filter)}`}
    select (${totalOf(tenantId)}) <= ${few}
        or ${fewHaveLabel(tenantId, filter)}
        ${updatedAfterMs === undefined ? empty : sql`or ${changed(updatedAfterMs)}`}
        as few_pass,
      ${search === '' ? sql`false` : areFew(sql`select from hit`)} as few_hits`);
  const { few_pass, few_hits } = rows[0]!;
  return few_pass ? 'all' : few_hits ? 'hits' : 'page';
}

/** Builds the CTEs that a statement needs to find the contacts, and the condition on `contacts`. */
export function foundBy(
  reach: Reach,
  tenantId: number,
  { phone, email, external_id, updatedAfterMs, ...filter }: ListFilter,
): { withHits: Sql; condition: Sql } {
  const exact = sql`
    ${phone === undefined ? empty : sql`and contacts.phone_identity = phone_identity(${phone})`}
    ${email === undefined ? empty : sql`and searchable(contacts.email) = searchable(${email})`}
    ${external_id === undefined ? empty : sql`and contacts.external_id = ${external_id}`}
    ${updatedAfterMs === undefined ? empty : sql`and ${isUpdatedAfter(updatedAfterMs)}`}`;
  if (reach !== 'hits') {
    return { withHits: empty, condition: sql`${passes(tenantId, filter)} ${exact}` };
  }
  return {
    withHits: sql`${searchHits(tenantId, filter)},`,
    condition: sql`${hasLabels(tenantId, filter)} ${exact} and contacts.id = any(array(select id from hit))`,
  };
}

/** Counts all contacts that pass. With a search, the index finds them unless few pass without it. */
export async function countFound(
  db: Db,
  tenantId: number,
  reach: Reach,
  filter: ListFilter,
): Promise<number> {
  const { search, omitUsernames: _, ...others } = filter;
  const isUnfiltered = Object.values(others).every((value) => value === undefined);
  if (isUnfiltered && !search) {
    const { rows } = await db.query<{ total: number }>(totalOf(tenantId));
    return rows[0]!.total;
  }
  const by = search && reach === 'page' ? 'hits' : reach;
  if (isUnfiltered && by === 'hits') {
    const { rows } = await db.query<{ total: number }>(sql`
      with ${searchHits(tenantId, filter)} select count(*) as total from hit`);
    return rows[0]!.total;
  }
  const { withHits, condition } = foundBy(by, tenantId, filter);
  const { rows } = await db.query<{ total: number }>(sql`
    with ${withHits} found as (select from contacts where ${condition})
    select count(*) as total from found`);
  return rows[0]!.total;
}

/** In the microseconds of the table, a time that is shown as a later millisecond. */
function isUpdatedAfter(updatedAfterMs: number): Sql {
  return sql`contacts.updated_at >= to_timestamp(${updatedAfterMs + 1}::float8 / 1000)`;
}
