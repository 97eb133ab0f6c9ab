import { useSyncExternalStore } from 'react';
import { useTenant } from '../../session.ts';

/** By tenant and phone, until the browser's page is closed: one looks elsewhere and comes back. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is being written to a phone and not sent yet. */
export function useDraft(
  phone: string,
): [string, (draft: string | ((now: string) => string)) => void] {
  const id = `${useTenant().slug} ${phone}`;
  const now = () => drafts.get(id) ?? '';
  function change(draft: string | ((now: string) => string)) {
    drafts.set(id, typeof draft === 'string' ? draft : draft(now()));
    for (const listener of listeners) listener();
  }
  return [useSyncExternalStore(subscribe, now), change];
}
