import { type QueryClient, type QueryFunction, queryOptions } from '@tanstack/react-query';
import type { OperationOf, ResponseOf } from '../../api/call-types.ts';
import type { TenantApi } from '../../api/client.ts';
import type { BulkChangeData, ContactImportData } from '../../api/records.ts';
import type { TenantPaths } from '../../api/schema.ts';
import { type ContactSearch, filterOf, hasFilter } from './search.ts';

const perPage = 50;

type FilteredPage = ResponseOf<OperationOf<TenantPaths, '/contacts/filtered', 'get'>>;

type ContactPage = Omit<FilteredPage, 'pagination'> & {
  /** `more` means that more contacts pass a filter than `total` says. */
  pagination: Omit<FilteredPage['pagination'], 'more'> & { more?: boolean };
};

/** The query for a page of the list. */
export function contactsQuery(api: TenantApi, search: ContactSearch) {
  const { search: text, ...labels } = filterOf(search);
  const page = { search: text, page: search.page, per_page: perPage };
  const { sort } = search;
  // Only the API's own list sorts. With labels, it counts all contacts that pass, which takes longer.
  const { queryKey, queryFn } =
    !sort && hasFilter(search)
      ? api.askedPage('/contacts/filtered', { query: { ...page, ...labels } })
      : api.askedPage('/contacts', { query: { ...page, ...labels, sort: sort ?? '-created_at' } });
  return queryOptions({
    queryKey: queryKey as readonly unknown[],
    queryFn: queryFn as QueryFunction<ContactPage>,
  });
}

/** The query for one contact, which is read when it is opened. Each read is an event of the tenant's webhook. */
export const contactQuery = (api: TenantApi, id: number) =>
  queryOptions({
    ...api.asked('/contacts/{id}', { path: { id } }),
    staleTime: 5_000,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** How far a change of many contacts is, in tenths, and how it ended. */
function stepOf(id: number, state: string, done: number, all: number): string {
  return `${id} ${state} ${Math.floor((10 * done) / Math.max(1, all))}`;
}

/** The query for the last changes of all contacts that match. What one has changed shows now and then. */
export function bulksQuery(api: TenantApi, queries: QueryClient) {
  const query = api.asked('/contacts/bulk');
  return refreshingLists<BulkChangeData[]>(api, queries, query, ([latest]) =>
    latest ? stepOf(latest.id, latest.state, latest.looked_at, latest.contacts) : '',
  );
}

/** The query for the last imports. What one has added shows now and then. */
export function importsQuery(api: TenantApi, queries: QueryClient) {
  const query = api.asked('/contacts/imports');
  return refreshingLists<ContactImportData[]>(api, queries, query, ([latest]) =>
    latest ? stepOf(latest.id, latest.state, latest.bytes_read, latest.bytes) : '',
  );
}

/** Lets the lists be read again when the step of a polled query changes. */
function refreshingLists<Data extends object[]>(
  api: TenantApi,
  queries: QueryClient,
  { queryKey, queryFn }: { queryKey: readonly unknown[]; queryFn?: unknown },
  step: (data: Data) => string,
) {
  return queryOptions({
    queryKey,
    queryFn: async (context) => {
      const before = queries.getQueryData<Data>(queryKey);
      const data = await (queryFn as QueryFunction<Data>)(context);
      if (before && step(before) !== step(data)) {
        for (const key of contactViews(api)) void queries.invalidateQueries({ queryKey: key });
      }
      return data;
    },
  });
}

/** The keys of what shows contacts: their lists, and conversations, which have their names. */
export const contactViews = (api: TenantApi) => [
  api.key('/contacts'),
  api.key('/contacts/filtered'),
  api.key('/conversations'),
  api.key('/conversation'),
];
