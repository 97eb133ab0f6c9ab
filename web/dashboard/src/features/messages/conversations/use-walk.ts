import { type RefObject, useEffect } from 'react';
import type { ConversationData } from '../../../api/records.ts';
import { usePageCommand } from '../../../shell/commands/page-commands.ts';

/**
 * Lets keys open the next conversation of the list and the one before, and close the open one. Arrow keys only move the
 * focus within the list, because what is opened counts as read.
 */
export function useWalk(
  conversations: readonly ConversationData[],
  phone: string | undefined,
  open: (phone: string | undefined) => void,
  list: RefObject<HTMLElement | null>,
): void {
  function step(by: 1 | -1) {
    const at = conversations.findIndex((each) => each.phone === phone);
    // Without an open conversation, or if it is not in the list, both keys begin at the top.
    const next = conversations[at === -1 ? 0 : at + by];
    if (next) open(next.phone);
  }
  usePageCommand('next-conversation', () => step(1));
  usePageCommand('previous-conversation', () => step(-1));
  usePageCommand('next-entry', () => moveFocus(list.current, 1));
  usePageCommand('previous-entry', () => moveFocus(list.current, -1));
  usePageCommand('close-conversation', () => {
    if (phone) open(undefined);
  });
  useEffect(() => {
    if (!phone) return;
    const entry = document.querySelector('#content section [aria-current=page]');
    entry?.scrollIntoView({ block: 'nearest' });
  }, [phone]);
}

/** @returns false if the focus is elsewhere, or at the end of the list */
function moveFocus(list: HTMLElement | null, by: 1 | -1): boolean {
  const { activeElement } = document;
  if (!list?.contains(activeElement)) return false;
  const entries = [...list.querySelectorAll<HTMLElement>('li a')];
  const at = entries.indexOf(activeElement as HTMLElement);
  const open = entries.findIndex((entry) => entry.ariaCurrent === 'page');
  // From the list itself, the focus goes to the open entry, otherwise to the first.
  const next = entries[at === -1 ? Math.max(open, 0) : at + by];
  next?.focus();
  return next !== undefined;
}
