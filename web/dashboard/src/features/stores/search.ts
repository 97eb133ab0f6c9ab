import type { StoreEventData } from '../../api/records.ts';
import { type Period, readPeriod } from '../../shell/period.ts';
import { readWhole } from '../contacts/search.ts';

const states: readonly unknown[] = [
  'waiting',
  'done',
  'nothing_to_do',
  'skipped',
  'failed',
] satisfies StoreEventData['state'][];

/** The search parameters of a store's page: the period of its chart, the filter of its posts, and the open one. */
export type StoreSearch = {
  days?: Period | undefined;
  state?: StoreEventData['state'] | undefined;
  open?: number | undefined;
};

/** Omitted parameters are set to undefined, because the router would keep them. */
export function readStoreSearch(search: Record<string, unknown>): StoreSearch {
  return {
    days: readPeriod(search.days),
    state: states.includes(search.state) ? (search.state as StoreEventData['state']) : undefined,
    open: readWhole(search.open, 1),
  };
}
