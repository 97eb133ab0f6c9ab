import type { TenantApi } from '../../api/client.ts';
import { filterOf, type RequestSearch } from './search.ts';

/** The query for the requests that pass a filter, the newest first. */
export const requestsQuery = (api: TenantApi, search: RequestSearch) =>
  api.askedInParts('/requests', { query: filterOf(search) }, 'after', ({ after }) => after);

/** The query for one request with its bodies, which no longer change. */
export const requestQuery = (api: TenantApi, id: number) => ({
  ...api.asked('/requests/{id}', { path: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});
