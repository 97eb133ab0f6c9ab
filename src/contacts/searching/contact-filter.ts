import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { type LabelKind, labelKinds } from '../../labels/label-kinds.ts';
import type { Db } from '../../platform/database/database.ts';
import { holdsText, indexedTextHolds, newTextHolds } from './search-texts.ts';

/** The conditions on contacts. 0 as a label id selects contacts without a label of that kind. */
export type ContactFilter = {
  search?: string;
  /** Whether the search leaves usernames out, as the API's contract says. */
  omitUsernames?: boolean;
  status_id?: number;
  source_id?: number;
  group_id?: number;
};

const filterFields = ['search', 'status_id', 'source_id', 'group_id'] as const;

/**
 * Returns the names of the fields by which a filter filters, for the audit log. Their values can be data of a contact, and
 * so can the names of other fields that a request has.
 */
export function fieldsOfFilter(filter: ContactFilter): string[] {
  return filterFields.filter((field) => filter[field] !== undefined);
}

/** Builds the condition that a row of `contacts` belongs to the tenant and passes a filter. */
export function passes(
  tenantId: number,
  { search = '', omitUsernames, ...labels }: ContactFilter,
): Sql {
  const holds = search === '' ? empty : sql`and ${holdsText(search, !omitUsernames)}`;
  return sql`${hasLabels(tenantId, labels)} ${holds}`;
}

/** Builds the same condition without the search, for contacts that the search index has found. */
export function hasLabels(
  tenantId: number,
  { status_id: status, source_id: source, group_id: group }: ContactFilter,
): Sql {
  return sql`contacts.tenant_id = ${tenantId}
    ${hasLabel(tenantId, 'statuses', status)}
    ${hasLabel(tenantId, 'sources', source)}
    ${isInGroup(tenantId, group)}`;
}

function hasLabel(tenantId: number, kind: 'statuses' | 'sources', id: number | undefined): Sql {
  if (id === undefined) return empty;
  const column = raw(`contacts.${labelKinds[kind].one}_id`);
  // A deleted label that still has to be taken off a contact counts here. Otherwise no index would find the few
  // contacts without one.
  return id === 0
    ? sql`and ${column} is null`
    : sql`and ${column} = ${id} and ${exists(tenantId, kind, id)}`;
}

function isInGroup(tenantId: number, id: number | undefined): Sql {
  if (id === undefined) return empty;
  const inGroup = (which: Sql) => sql`exists (
    select from contact_groups
    where contact_groups.tenant_id = ${tenantId} and contact_groups.contact_id = contacts.id
      and contact_groups.group_id ${which})`;
  return id === 0
    ? sql`and not ${inGroup(sql`<> all(array(
        select id from groups where tenant_id = ${tenantId} and deleted_at is not null))`)}`
    : sql`and ${inGroup(sql`= ${id}`)} and ${exists(tenantId, 'groups', id)}`;
}

/** Contacts do not show a deleted label, although some still have it. */
function exists(tenantId: number, kind: LabelKind, id: number): Sql {
  return sql`exists (
    select from ${raw(kind)} where tenant_id = ${tenantId} and id = ${id} and deleted_at is null)`;
}

/** Builds the CTE `hit (id)`: the contacts whose text contains a term, by the index, the newest first. */
export function searchHits(
  tenantId: number,
  { search = '', omitUsernames }: Pick<ContactFilter, 'search' | 'omitUsernames'>,
): Sql {
  const term = sql`searchable(${search})`;
  return sql`
    hit as materialized (
      select contact_id as id from search_texts where ${indexedTextHolds(tenantId, term, !omitUsernames)}
      union all
      select contact_id from new_search_texts where ${newTextHolds(tenantId, term, !omitUsernames)}
      order by id desc
    )`;
}

/** Up to this many contacts, reading all of them is faster than the search for a common term. */
export const few = 10_000;

/** Returns whether few contacts have a label of the filter, so that these are searched one by one. */
export async function leavesFew(db: Db, tenantId: number, filter: ContactFilter): Promise<boolean> {
  const { rows } = await db.query<{ few: boolean }>(
    sql`select ${fewHaveLabel(tenantId, filter)} as few`,
  );
  return rows[0]!.few;
}

/** Builds the condition that few contacts have one of the labels of a filter. */
export function fewHaveLabel(
  tenantId: number,
  { status_id: status, source_id: source, group_id: group }: ContactFilter,
): Sql {
  const ofTenant = (table: 'contacts' | 'contact_groups', condition: Sql) =>
    areFew(sql`select from ${raw(table)} where tenant_id = ${tenantId} and ${condition}`);
  return sql`(false
    ${status ? sql`or ${ofTenant('contacts', sql`status_id = ${status}`)}` : empty}
    ${source ? sql`or ${ofTenant('contacts', sql`source_id = ${source}`)}` : empty}
    ${group ? sql`or ${ofTenant('contact_groups', sql`group_id = ${group}`)}` : empty})`;
}

/** Builds the condition that a select finds few rows. */
export function areFew(found: Sql): Sql {
  return sql`(select count(*) from (${found} limit ${few + 1}) as found) <= ${few}`;
}
