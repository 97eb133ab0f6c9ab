import type { Tone } from '../../../../parts/page/badge.tsx';
import type { StoreData } from '../../api/records.ts';

/** The state of a store in the last 28 days, for its badge. */
export function storeHealth(store: StoreData): ['paused' | 'attention' | 'new' | 'works', Tone] {
  if (store.paused_since) return ['paused', 'warn'];
  if (store.quiet_since || store.failed + store.refused > 0) return ['attention', 'warn'];
  return store.last_seen_at ? ['works', 'good'] : ['new', 'neutral'];
}
