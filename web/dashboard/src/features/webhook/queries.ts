import { fromClock } from '../../../../texts/format.ts';
import type { TenantApi } from '../../api/client.ts';
import type { DeliverySearch } from './search.ts';

/** The query for the deliveries that pass a filter, the newest first. */
export function deliveriesQuery(api: TenantApi, { id, event, state, since }: DeliverySearch) {
  const query = { id, event, state, since: since && fromClock(since) };
  return api.askedInParts('/webhook/deliveries', { query }, 'after', ({ after }) => after);
}

/** The query for one delivery, as a list of one. */
export const deliveryQuery = (api: TenantApi, id: string) =>
  api.asked('/webhook/deliveries', { query: { id } });
