import { useLayoutEffect, useRef } from 'react';
import { useDraft as useKeptDraft } from '../../../../../../parts/fields/use-draft.ts';
import { useSession, useTenant } from '../../../../session.ts';
import { moveOutbox } from './outbox.ts';

/**
 * The key of what is written in a conversation, for each member and tenant.
 *
 * @param person the key of the conversation, which stays the same when the phone becomes known
 */
export function useDraftKey(person: string): string {
  const { email } = useSession();
  return `parley-draft ${email} ${useTenant().slug} ${person}`;
}

/** Keeps the unsent message of a conversation. */
export function useDraft(person: string) {
  return useKeptDraft(useDraftKey(person));
}

/** Keeps the unsent message of the open conversation, also when that becomes part of another one. */
export function useOpenDraft(person: string) {
  const id = useDraftKey(person);
  const before = useRef(id);
  useLayoutEffect(() => {
    moveOutbox(before.current, id);
    before.current = id;
  }, [id]);
  return useKeptDraft(id);
}
