import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { createCachedLists } from '../../../../api/cached-lists.ts';
import { listenLive } from '../../../../api/live.ts';
import { createTopicUpdates } from '../../../../api/live-topics.ts';
import { sessionQuery, useSession, useTenant } from '../../../../session.ts';
import { createLiveUpdates } from './live-updates.ts';

const pollEveryMs = 5_000;

const LiveContext = createContext(false);

/**
 * Keeps what all pages of the tenant show up to date by live events. While there is no stream, the conversations are
 * polled here, and everything else by its page.
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { api } = useTenant();
  const { email } = useSession();
  const queries = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const updates = useMemo(() => {
    const cached = createCachedLists(queries);
    return createLiveUpdates(queries, api, cached, createTopicUpdates(queries, api, cached));
  }, [queries, api]);
  useEffect(() => {
    const stop = listenLive(api.address('/live'), email, {
      onState: setIsLive,
      onEvent: updates.onEvent,
      onMissed: updates.catchUp,
      onOtherPerson: () => void queries.invalidateQueries(sessionQuery),
    });
    return () => {
      stop();
      updates.stop();
      setIsLive(false);
    };
  }, [api, email, queries, updates]);
  useEffect(() => {
    if (isLive) return;
    const timer = setInterval(updates.reload, pollEveryMs);
    return () => clearInterval(timer);
  }, [isLive, updates]);
  return <LiveContext value={isLive}>{children}</LiveContext>;
}

/** Whether live events arrive at the moment. */
export function useLive(): boolean {
  return useContext(LiveContext);
}

/** How often a query is read again that live events keep up to date: never while they arrive. */
export function usePolling(everyMs: number): number | false {
  return useLive() ? false : everyMs;
}

/** The options of queries that live events keep up to date. */
export function useLiveOptions() {
  const isLive = useLive();
  return isLive ? ({ staleTime: Number.POSITIVE_INFINITY } as const) : {};
}

/** The queries to read again after a change of a conversation: none if an event brings it. */
export function useRefresh(phone: string): readonly (readonly unknown[])[] {
  const { api } = useTenant();
  const isLive = useLive();
  return useMemo(
    () =>
      isLive ? [] : [api.key('/conversation', { query: { phone } }), api.key('/conversations')],
    [isLive, api, phone],
  );
}
