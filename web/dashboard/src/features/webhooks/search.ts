import type { DeliveryData } from '../../api/records.ts';
import { readClock, readText, readWhole } from '../../shell/read-search.ts';

export const states = ['waiting', 'delivered', 'failed'] as const satisfies DeliveryData['state'][];

/** The search parameters of the webhook page: the filter of the deliveries, and the one that is open. */
export type DeliverySearch = {
  /** The id of the endpoint; the default one if left out. `new` for one that is being added. */
  endpoint?: number | 'new' | undefined;
  id?: string | undefined;
  event?: string | undefined;
  state?: DeliveryData['state'] | undefined;
  /** A time of the clock in the region of the dashboard, such as `2026-11-25T09:05`. */
  since?: string | undefined;
  open?: number | undefined;
};

/** Omitted parameters are set to undefined, because the router would keep them. */
export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return {
    endpoint: readEndpoint(search.endpoint),
    id: readText(search.id, 255),
    event: readText(search.event),
    state: states.find((each) => each === search.state),
    since: readClock(search.since),
    open: readWhole(search.open, 1),
  };
}

function readEndpoint(value: unknown): DeliverySearch['endpoint'] {
  if (value === 'new') return 'new';
  const id = Number(value);
  return Number.isInteger(id) && id > 0 && id <= 32_767 ? id : undefined;
}
