import { useSyncExternalStore } from 'react';
import { keep, kept } from './browser-storage.ts';

/** By id, also while their field is not on the page. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Keeps a message that is being written and not sent yet, also when the page is loaded again meanwhile, if the
 * browser allows it.
 */
export function useDraft(
  id: string,
): [string, (draft: string | ((now: string) => string)) => void] {
  const now = () => drafts.get(id) ?? kept('sessionStorage', id) ?? '';
  function change(draft: string | ((now: string) => string)) {
    const next = typeof draft === 'string' ? draft : draft(now());
    drafts.set(id, next);
    keep('sessionStorage', id, next || null);
    for (const listener of listeners) listener();
  }
  return [useSyncExternalStore(subscribe, now), change];
}
