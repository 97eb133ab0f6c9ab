import { readText, readWhole } from '../../shell/read-search.ts';
import { readWrittenPhone } from './written-phone.ts';

/** The parameters in the address of the contact list: which contacts, which page of them, and which one is open. */
export type ContactSearch = {
  q?: string;
  status?: number;
  source?: number;
  group?: number;
  page?: number;
  sort?: ContactSort;
  contact?: number;
};

/** The orders that the columns of the table have. Without one, the newest contact is the first. */
export type ContactSort = 'firstname' | 'created_at';
const sorts: readonly unknown[] = ['firstname', 'created_at'] satisfies ContactSort[];

export function readContactSearch(search: Record<string, unknown>): ContactSearch {
  return {
    q: readText(search.q, 255),
    status: readWhole(search.status, 0),
    source: readWhole(search.source, 0),
    group: readWhole(search.group, 0),
    page: readWhole(search.page, 2),
    sort: sorts.includes(search.sort) ? (search.sort as ContactSort) : undefined,
    contact: readWhole(search.contact, 1),
  };
}

export function hasFilter({ status, source, group }: ContactSearch): boolean {
  return status !== undefined || source !== undefined || group !== undefined;
}

/**
 * Returns the search text: a phone in its stored form, everything else as it was typed. Seven or more digits are also
 * a phone without its `+`, or the end of one, which does not have the leading 0 of national calls.
 */
export function wantedText({ q = '' }: ContactSearch): string | undefined {
  const phone = readWrittenPhone(q);
  if (q.includes('+') && /^\+\d+$/.test(phone)) return phone;
  return /^[+0]?[1-9]\d{6,14}$/.test(phone) ? phone.replace(/^0/, '') : q || undefined;
}

/** The filter in the form that the API takes. */
export function filterOf(search: ContactSearch) {
  return {
    search: wantedText(search),
    status_id: search.status,
    source_id: search.source,
    group_id: search.group,
  };
}

/** The search for the last page, if the page of a search is behind it. */
export function lastPageOf(search: ContactSearch, pages: number): ContactSearch | undefined {
  if ((search.page ?? 1) <= Math.max(1, pages)) return undefined;
  return { ...search, page: pages > 1 ? pages : undefined };
}
