import type { Query, QueryClient } from '@tanstack/react-query';
import type { TenantApi } from '../../api/client.ts';
import type { TopicUpdates } from '../../api/live-topics.ts';
import type { ConversationsFilter, LiveEvent } from '../../api/records.ts';
import {
  type ConversationPages,
  patchList,
  patchThread,
  replaceFirstPage,
  replaceNewest,
  type ThreadPages,
} from './patch-pages.ts';

/** First pages are read again at most once in this time, however many events were missed. */
const reloadEveryMs = 5_000;

/**
 * Keeps the cached lists and threads of conversations as the live events say. An event costs no request, or one
 * if only the service knows whether a conversation belongs to a list. If events were missed, the first page of
 * each list that is shown is read again, and everything else is marked as stale.
 *
 * @param topics keeps what is shown of everything else up to date
 */
export function createLiveUpdates(queries: QueryClient, api: TenantApi, topics: TopicUpdates) {
  const reading = new Map<string, Promise<void>>();
  let me: string | undefined;
  let reloadedAt = Number.NEGATIVE_INFINITY;
  let reloadLater: ReturnType<typeof setTimeout> | undefined;

  const lists = () => queries.getQueryCache().findAll({ queryKey: api.key('/conversations') });
  const threads = () => queries.getQueryCache().findAll({ queryKey: api.key('/conversation') });

  /** Changes cached data. It stays as stale as it was. */
  function update<Data>(query: Query, change: (data: Data) => Data): void {
    const { isInvalidated, dataUpdatedAt } = query.state;
    queries.setQueryData<Data>(query.queryKey, (data) => data && change(data), {
      updatedAt: dataUpdatedAt,
    });
    if (isInvalidated) query.invalidate();
  }

  /** Does it now, and again after a request that may have begun before the event. */
  function whenFetched(query: Query, change: () => void): void {
    change();
    if (query.state.fetchStatus !== 'fetching') return;
    query.promise?.catch(() => {}).finally(() => setTimeout(change));
  }

  /** Reads the first page of a query that is shown. */
  function readFirst(query: Query): Promise<void> {
    const before = reading.get(query.queryHash);
    if (before) return before;
    const read = (isList(query) ? readFirstOfList(query) : readFirstOfThread(query))
      .catch(() => query.invalidate())
      .finally(() => reading.delete(query.queryHash));
    reading.set(query.queryHash, read);
    return read;
  }

  const isList = ({ queryKey }: Query) => queryKey[1] === '/conversations';

  async function readFirstOfList(query: Query): Promise<void> {
    const { search, filter } = listOf(query);
    const first = await api.get('/conversations', { query: { search, ...filter } });
    update<ConversationPages>(query, (data) => replaceFirstPage(data, first));
  }

  async function readFirstOfThread(query: Query): Promise<void> {
    const { phone } = (query.queryKey[2] as { query: { phone: string } }).query;
    const first = await api.get('/conversation', { query: { phone } });
    update<ThreadPages>(query, (data) => replaceNewest(data, first));
  }

  function listOf({ queryKey }: Query) {
    const { search = '', ...filter } = (queryKey[2] as { query: ConversationsFilter }).query;
    return { search, filter, me };
  }

  function change(event: Extract<LiveEvent, { kind: 'changed' }>): void {
    for (const query of lists()) {
      let isUnknown = false;
      whenFetched(query, () =>
        update<ConversationPages>(query, (data) =>
          event.conversations.reduce((pages, conversation) => {
            const patched = patchList(pages, conversation, listOf(query));
            isUnknown ||= patched === undefined;
            return patched ?? pages;
          }, data),
        ),
      );
      if (isUnknown) readOrInvalidate(query);
    }
    for (const query of threads()) {
      whenFetched(query, () => update<ThreadPages>(query, (data) => patchThread(data, event)));
    }
  }

  function readOrInvalidate(query: Query): void {
    if (query.isActive() && query.state.data) void readFirst(query);
    else query.invalidate();
  }

  /** Reads all first pages that are shown again, now or a little later. */
  function reload(): void {
    const waitMs = reloadedAt + reloadEveryMs - performance.now();
    if (waitMs > 0) {
      reloadLater ??= setTimeout(reload, waitMs);
      return;
    }
    clearTimeout(reloadLater);
    reloadLater = undefined;
    reloadedAt = performance.now();
    for (const query of [...lists(), ...threads()]) {
      // The other pages stay stale: they are read again when the query is used the next time.
      const { data } = query.state as { data?: { pages: unknown[] } };
      if (data && data.pages.length > 1) query.invalidate();
      readOrInvalidate(query);
    }
  }

  /** What was read before the stream began may lack the latest messages. */
  async function begin(newest: number): Promise<void> {
    for (const query of lists()) {
      if (!query.isActive()) {
        query.invalidate();
        continue;
      }
      await query.promise?.catch(() => {});
      const data = queries.getQueryData<ConversationPages>(query.queryKey);
      const latest = data?.pages[0]?.conversations[0]?.last.id ?? 0;
      if (latest >= newest) continue;
      void readFirst(query);
      for (const thread of threads()) readOrInvalidate(thread);
    }
  }

  return {
    reload,
    onEvent(event: LiveEvent): void {
      if ('user_id' in event) me = event.user_id;
      if (event.kind === 'ready') void begin(event.newest);
      else if (event.kind === 'touched') topics.touch(event.topics);
      else if (event.kind === 'changed') {
        change(event);
        if (event.messages.length > 0) topics.touch(['messages']);
      } else if (event.kind !== 'resumed') {
        reload();
        topics.touchAll();
      }
    },
    stop(): void {
      clearTimeout(reloadLater);
      topics.stop();
    },
  };
}
