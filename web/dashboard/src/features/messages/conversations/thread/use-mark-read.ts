import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { ThreadData } from '../../../../api/records.ts';
import { useTenant } from '../../../../session.ts';
import { useRefresh } from '../live/use-live.tsx';

function subscribe(listener: () => void) {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/**
 * Marks the open conversation as read while the tab is visible, once for each newest inbound message. Sends
 * no request if nothing is unread.
 */
export function useMarkRead(thread: ThreadData | undefined): void {
  const { api } = useTenant();
  const queries = useQueryClient();
  const isVisible = useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
  const readUpTo = useRef<number>(undefined);
  const phone = thread?.phone;
  const newest = thread?.messages.find(({ direction }) => direction === 'in')?.id ?? 0;
  const refresh = useRefresh(phone ?? '');
  const hasUnread = thread !== undefined && thread.unread > 0;

  useEffect(() => {
    // A response that was read before the mark still has unread messages.
    if (!isVisible || !hasUnread || phone === undefined || readUpTo.current === newest) return;
    readUpTo.current = newest;
    api
      .put('/conversation', { body: { phone, read: true } })
      .then(() => Promise.all(refresh.map((queryKey) => queries.invalidateQueries({ queryKey }))))
      .catch(() => {
        // Nobody asked for it, so there is no notice. It is tried again with the next message, or when the tab is shown.
        readUpTo.current = undefined;
      });
  }, [api, queries, refresh, phone, newest, hasUnread, isVisible]);
}
