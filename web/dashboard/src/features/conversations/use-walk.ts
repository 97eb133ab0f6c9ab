import { useEffect } from 'react';
import type { ConversationData } from '../../api/records.ts';
import { usePageCommand } from '../../shell/page-commands.ts';

/** Lets keys open the next conversation of the list and the one before, and close the open one. */
export function useWalk(
  conversations: readonly ConversationData[],
  phone: string | undefined,
  open: (phone: string | undefined) => void,
): void {
  function step(by: 1 | -1) {
    const at = conversations.findIndex((each) => each.phone === phone);
    // Without an open conversation, or if it is not in the list, both keys begin at the top.
    const next = conversations[at === -1 ? 0 : at + by];
    if (next) open(next.phone);
  }
  usePageCommand('next-conversation', () => step(1));
  usePageCommand('previous-conversation', () => step(-1));
  usePageCommand('close-conversation', () => phone && open(undefined));
  useEffect(() => {
    if (!phone) return;
    const entry = document.querySelector('#content section [aria-current=page]');
    entry?.scrollIntoView({ block: 'nearest' });
  }, [phone]);
}
