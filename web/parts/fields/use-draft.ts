import { useSyncExternalStore } from 'react';
import { keep, kept } from '../behaviour/browser-storage.ts';

/** By id, also while their field is not on the page. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

/** Returns a draft, also while its field is not on the page. */
export const draftOf = (id: string): string => drafts.get(id) ?? kept('sessionStorage', id) ?? '';

export function setDraft(id: string, draft: string): void {
  drafts.set(id, draft);
  keep('sessionStorage', id, draft || null);
  for (const listener of listeners) listener();
}

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
  const now = () => draftOf(id);
  function change(draft: string | ((now: string) => string)) {
    setDraft(id, typeof draft === 'string' ? draft : draft(now()));
  }
  return [useSyncExternalStore(subscribe, now), change];
}

/** Moves a draft to another id, before what is written there. */
export function moveDraft(from: string, to: string): void {
  const draft = draftOf(from);
  if (from === to || draft === '') return;
  setDraft(from, '');
  setDraft(to, [draft, draftOf(to)].filter(Boolean).join('\n'));
}
