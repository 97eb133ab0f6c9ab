import { fromClock } from '../../../../texts/format.ts';
import type { TenantApi } from '../../api/client.ts';
import type { DeliverySearch } from './search.ts';

/** The query parameters that name an endpoint. The default one has none. */
export const endpointQuery = ({ endpoint }: DeliverySearch) => ({
  endpoint: endpoint === 'new' ? undefined : endpoint,
});

/** The query for the settings of the endpoint that the address names. */
export const settingsQuery = (api: TenantApi, search: DeliverySearch) =>
  api.asked('/webhook', { query: endpointQuery(search) });

/** The query for the deliveries that pass a filter, the newest first. */
export function deliveriesQuery(api: TenantApi, search: DeliverySearch) {
  const { id, event, state, since } = search;
  const query = { ...endpointQuery(search), id, event, state, since: since && fromClock(since) };
  return api.askedInParts('/webhook/deliveries', { query }, 'after', ({ after }) => after);
}

/** The query for one delivery, as a list of one. */
export const deliveryQuery = (api: TenantApi, search: DeliverySearch, id: number) =>
  api.asked('/webhook/deliveries', { query: { ...endpointQuery(search), id: String(id) } });
