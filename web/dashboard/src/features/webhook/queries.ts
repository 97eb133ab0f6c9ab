import type { TenantApi } from '../../api/client.ts';
import type { DeliveryData } from '../../api/records.ts';

export type Filter = {
  id: string;
  event: string;
  state: DeliveryData['state'] | '';
  since: string;
};

export const everything: Filter = { id: '', event: '', state: '', since: '' };

/** The query for the deliveries, the newest first. */
export function deliveriesQuery(api: TenantApi, filter = everything) {
  const query = {
    ...filter,
    state: filter.state || undefined,
    since: filter.since && new Date(filter.since).toISOString(),
  };
  return api.askedInParts('/webhook/deliveries', { query }, 'after', ({ after }) => after);
}
