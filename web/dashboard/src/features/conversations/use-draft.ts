import { useSyncExternalStore } from 'react';
import { keep, kept } from '../../browser-storage.ts';
import { useSession, useTenant } from '../../session.ts';

/** By person, tenant and phone: one looks elsewhere and comes back. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * What is being written to a phone and not sent yet, also when the page is loaded again meanwhile, as
 * far as the browser can keep it.
 */
export function useDraft(
  phone: string,
): [string, (draft: string | ((now: string) => string)) => void] {
  const { email } = useSession();
  const id = `parley-draft ${email} ${useTenant().slug} ${phone}`;
  const now = () => drafts.get(id) ?? kept('sessionStorage', id) ?? '';
  function change(draft: string | ((now: string) => string)) {
    const next = typeof draft === 'string' ? draft : draft(now());
    drafts.set(id, next);
    keep('sessionStorage', id, next || null);
    for (const listener of listeners) listener();
  }
  return [useSyncExternalStore(subscribe, now), change];
}
