import { useSyncExternalStore } from 'react';
import { outboxOf } from './outbox.ts';
import { useDraftKey } from './use-draft.ts';

/** Returns the texts that are on their way to a person, and before them those that were sent a moment ago. */
export function useSending(person: string) {
  const { subscribe, shown } = outboxOf(useDraftKey(person));
  return useSyncExternalStore(subscribe, shown);
}
