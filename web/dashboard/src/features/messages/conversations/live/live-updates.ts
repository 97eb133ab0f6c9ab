import type { Query, QueryClient } from '@tanstack/react-query';
import type { CachedLists, Change } from '../../../../api/cached-lists.ts';
import type { TenantApi } from '../../../../api/client.ts';
import type { TopicUpdates } from '../../../../api/live-topics.ts';
import type { ConversationData, ConversationsFilter, LiveEvent } from '../../../../api/records.ts';
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
export function createLiveUpdates(
  queries: QueryClient,
  api: TenantApi,
  cached: CachedLists,
  topics: TopicUpdates,
) {
  let me: string | undefined;
  let reloadedAt = Number.NEGATIVE_INFINITY;
  let reloadLater: ReturnType<typeof setTimeout> | undefined;

  const lists = () => queries.getQueryCache().findAll({ queryKey: api.key('/conversations') });
  const threads = () => queries.getQueryCache().findAll({ queryKey: api.key('/conversation') });

  const counts = () =>
    queries.getQueryCache().findAll({ queryKey: api.key('/conversations/unread') });
  const isCount = ({ queryKey }: Query) => queryKey[1] === '/conversations/unread';

  /** Reads the first page of a query that is shown. */
  function readFirst(query: Query): void {
    if (isList(query)) void cached.readFirst<ConversationPages>(query, () => readList(query));
    else void cached.readFirst<ThreadPages>(query, () => readThread(query));
  }

  const isList = ({ queryKey }: Query) => queryKey[1] === '/conversations';
  const isThread = ({ queryKey }: Query) => queryKey[1] === '/conversation';

  async function readList(query: Query): Promise<Change<ConversationPages>> {
    const { search, filter } = listOf(query);
    const first = await api.get('/conversations', { query: { search, ...filter } });
    return (data) => replaceFirstPage(data, first);
  }

  async function readThread({ queryKey }: Query): Promise<Change<ThreadPages>> {
    const { phone } = (queryKey[2] as { query: { phone: string } }).query;
    const first = await api.get('/conversation', { query: { phone } });
    return (data) => replaceNewest(data, first);
  }

  function listOf({ queryKey }: Query) {
    const { search = '', ...filter } = (queryKey[2] as { query: ConversationsFilter }).query;
    return { search, filter, me };
  }

  function change(event: Extract<LiveEvent, { kind: 'changed' }>): void {
    for (const query of lists()) changeList(query, event.conversations);
    for (const query of threads()) {
      cached.change<ThreadPages>(query, (data) => patchThread(data, event));
    }
  }

  function changeList(query: Query, conversations: ConversationData[]): void {
    let isRead = false;
    cached.change<ConversationPages>(query, (data) =>
      conversations.reduce((pages, conversation) => {
        const patched = patchList(pages, conversation, listOf(query));
        if (!patched && !isRead) {
          isRead = true;
          // After the data is set, which would mark the query as fresh.
          queueMicrotask(() => readOrInvalidate(query));
        }
        return patched ?? pages;
      }, data),
    );
  }

  function readOrInvalidate(query: Query): void {
    const { data, fetchStatus } = query.state;
    if (query.isActive() && (data || fetchStatus === 'fetching')) readFirst(query);
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
    topics.touch(['conversations']);
    for (const query of [...lists(), ...threads()]) {
      // The other pages stay stale: they are read again when the query is used the next time.
      const { data } = query.state as { data?: { pages: unknown[] } };
      if (data && data.pages.length > 1) query.invalidate();
      readOrInvalidate(query);
    }
  }

  /** Reads conversations again, because data from before the stream may lack the latest changes. */
  function begin(newest: number): void {
    // Somebody waited for the stream, so that more than a moment may be missing.
    if (reloadedAt > Number.NEGATIVE_INFINITY) {
      catchUp();
      return;
    }
    for (const query of [...lists(), ...threads(), ...counts()]) {
      if (!query.isActive()) query.invalidate();
      // A change without a message, such as of the assignee, is seen most where somebody is about to reply.
      else if (isThread(query)) void readIfOlder(query, Number.POSITIVE_INFINITY);
      else void readIfOlder(query, newest);
    }
  }

  /** Reads a query again, or its first page, unless it was read after the newest message. */
  async function readIfOlder(query: Query, newest: number): Promise<void> {
    await query.promise?.catch(() => {});
    const data: { newest?: number; pages?: { newest: number }[] } | undefined =
      queries.getQueryData(query.queryKey);
    const known = data?.newest ?? data?.pages?.[0]?.newest ?? -1;
    if (known >= newest) return;
    if (isCount(query)) topics.touch(['conversations']);
    else readFirst(query);
  }

  /** Reads again what is shown, because events were missed. */
  function catchUp(): void {
    reload();
    topics.touchAll();
  }

  return {
    reload,
    catchUp,
    onEvent(event: LiveEvent): void {
      if ('user_id' in event) me = event.user_id;
      if (event.kind === 'ready') begin(event.newest);
      else if (event.kind === 'touched') topics.touch(event.topics);
      else if (event.kind === 'changed') {
        change(event);
        topics.touch(['conversations']);
        if (event.messages.length > 0) topics.touch(['messages']);
      } else if (event.kind !== 'resumed') catchUp();
    },
    /** Without events, what is cached is no longer up to date. */
    stop(): void {
      clearTimeout(reloadLater);
      topics.stop();
      for (const query of [...lists(), ...threads()]) query.invalidate();
    },
  };
}
