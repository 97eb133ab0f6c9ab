import type { StoreEventData } from '../../api/records.ts';
import { type Period, readPeriod } from '../../shell/charts/period.ts';
import { readText, readWhole } from '../../shell/read-search.ts';

export const states = [
  'waiting',
  'done',
  'nothing_to_do',
  'skipped',
  'failed',
] as const satisfies StoreEventData['state'][];

/** The search parameters of a store's page: the period of its chart, the filter of its posts, and the open one. */
export type StoreSearch = {
  days?: Period | undefined;
  state?: StoreEventData['state'] | undefined;
  /** The number of an order, or the phone of a buyer. */
  q?: string | undefined;
  open?: number | undefined;
};

/** Omitted parameters are set to undefined, because the router would keep them. */
export function readStoreSearch(search: Record<string, unknown>): StoreSearch {
  return {
    days: readPeriod(search.days),
    state: states.find((each) => each === search.state),
    q: readText(search.q, 255),
    open: readWhole(search.open, 1),
  };
}
