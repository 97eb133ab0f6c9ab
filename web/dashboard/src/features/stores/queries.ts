import type { TenantApi } from '../../api/client.ts';
import type { Period } from '../../shell/charts/period.ts';
import type { StoreSearch } from './search.ts';

export const usualPeriod: Period = 30;

/** The query for a store and its figures of the last days. */
export const storeQuery = (api: TenantApi, id: number | string, days: Period = usualPeriod) =>
  api.asked('/stores/{id}', { path: { id }, query: { days } });

/** The query for the posts of a store, the newest first. */
export function storeEventsQuery(api: TenantApi, id: number | string, { state, q }: StoreSearch) {
  const input = { path: { id }, query: { state, search: q } };
  return api.askedInParts('/stores/{id}/events', input, 'before', ({ more, events }) =>
    more ? events.at(-1)?.id : undefined,
  );
}

/** The query for a post of a store, followed by the ones before it. */
export const storeEventQuery = (api: TenantApi, id: number, event: number) =>
  api.asked('/stores/{id}/events', { path: { id }, query: { before: event + 1 } });
