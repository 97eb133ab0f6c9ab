import { queryOptions } from '@tanstack/react-query';
import type { OperationOf, ResponseOf } from '../../api/call-types.ts';
import type { TenantApi } from '../../api/client.ts';
import type { TenantPaths } from '../../api/schema.ts';
import { type ContactSearch, filterOf, hasFilter } from './search.ts';

const perPage = 50;

type ContactPage = ResponseOf<OperationOf<TenantPaths, '/contacts', 'get'>> & {
  /** `more` means that more contacts pass a filter than `total` says. */
  pagination: { more?: boolean };
};

/** The query for a page of the list. */
export function contactsQuery(api: TenantApi, search: ContactSearch) {
  const { search: text, ...labels } = filterOf(search);
  const page = { search: text, page: search.page, per_page: perPage };
  const { queryKey, queryFn } = hasFilter(search)
    ? api.askedPage('/contacts/filtered', { query: { ...page, ...labels } })
    : api.askedPage('/contacts', { query: page });
  return queryOptions({
    queryKey: queryKey as readonly unknown[],
    queryFn: queryFn as () => Promise<ContactPage>,
  });
}

/** The keys of all lists of contacts. */
export const contactLists = (api: TenantApi) => [
  api.key('/contacts'),
  api.key('/contacts/filtered'),
];
