import type { TenantApi } from '../../api/client.ts';
import type { StoreEventData } from '../../api/records.ts';

/** The query for the posts of a store, the newest first. */
export function storeEventsQuery(
  api: TenantApi,
  id: number | string,
  state?: StoreEventData['state'] | '',
) {
  const input = { path: { id }, query: { state: state || undefined } };
  return api.askedInParts('/stores/{id}/events', input, 'before', ({ more, events }) =>
    more ? events.at(-1)?.id : undefined,
  );
}
