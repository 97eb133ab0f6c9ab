import { focusManager, type Query, type QueryClient } from '@tanstack/react-query';
import type { CachedLists, Change } from './cached-lists.ts';
import type { TenantApi } from './client.ts';
import { type ListPages, replaceFirstPart } from './list-parts.ts';
import type { LiveTopic } from './records.ts';

type Watched = {
  path: string;
  everyMs: number;
  /** Whether it is read also while nobody sees the tab, because it is in its title. */
  inTitle?: boolean;
};

type Item = { id?: number; inbound_id?: number };
/** A part of a log: one field with its items, and whether or where there are more. */
type LogPart = Record<string, Item[]>;

/** `messages` and `conversations` are reported by events of their own. */
type Topic = LiveTopic | 'messages' | 'conversations';

/** The requests that show a topic, and the minimum time between two of them while events of the topic keep coming. */
const watched: Record<Topic, Watched[]> = {
  webhook: [
    { path: '/webhook/deliveries', everyMs: 2_000 },
    { path: '/webhook', everyMs: 5_000 },
    { path: '/webhook/endpoints', everyMs: 5_000 },
  ],
  stores: [
    { path: '/stores/{id}/events', everyMs: 2_000 },
    { path: '/stores/{id}', everyMs: 5_000 },
    { path: '/stores', everyMs: 5_000 },
  ],
  answers: [{ path: '/bots/answers', everyMs: 2_000 }],
  usage: [{ path: '/usage', everyMs: 10_000 }],
  requests: [
    { path: '/requests', everyMs: 2_000 },
    { path: '/request-bodies', everyMs: 60_000 },
  ],
  imports: [{ path: '/contacts/imports', everyMs: 1_000 }],
  bulk_changes: [{ path: '/contacts/bulk', everyMs: 1_000 }],
  numbers: [{ path: '/numbers', everyMs: 1_000 }],
  messages: [
    { path: '/overview', everyMs: 10_000 },
    { path: '/messages', everyMs: 5_000 },
  ],
  conversations: [{ path: '/conversations/unread', everyMs: 2_000, inTitle: true }],
};

export type TopicUpdates = ReturnType<typeof createTopicUpdates>;

/**
 * Keeps what is shown up to date as the events of topics say. Of a list, only the first part is read again. What is
 * not shown, or in a tab that nobody sees, is marked as stale and read when it is used the next time.
 */
export function createTopicUpdates(queries: QueryClient, api: TenantApi, cached: CachedLists) {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const readAt = new Map<string, number>();

  function touch({ path, everyMs, inTitle = false }: Watched): void {
    if (waiting.has(path)) return;
    const waitMs = (readAt.get(path) ?? Number.NEGATIVE_INFINITY) + everyMs - performance.now();
    const timer = setTimeout(() => read(path, inTitle), Math.max(0, waitMs));
    waiting.set(path, timer);
  }

  function read(path: string, inTitle: boolean): void {
    waiting.delete(path);
    readAt.set(path, performance.now());
    for (const query of queries.getQueryCache().findAll({ queryKey: api.key(path as never) })) {
      const isSeen = query.isActive() && (inTitle || focusManager.isFocused());
      if (!isSeen || !query.state.data) query.invalidate();
      else if (query.queryKey.at(-1) === 'parts')
        void cached.readFirst(query, () => readFirstPart(query));
      else void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
  }

  async function readFirstPart({ options }: Query): Promise<Change<ListPages<LogPart>>> {
    const readPart = options.queryFn as (context: { pageParam: undefined }) => Promise<LogPart>;
    const first = await readPart({ pageParam: undefined });
    const field = Object.keys(first).find((name) => Array.isArray(first[name]))!;
    return (data) => replaceFirstPart(data, first, field, idOf);
  }

  return {
    touch(topics: readonly Topic[]): void {
      for (const topic of topics) for (const each of watched[topic]) touch(each);
    },
    /** Events were missed. */
    touchAll(): void {
      for (const each of Object.values(watched).flat()) touch(each);
    },
    stop(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

function idOf({ id, inbound_id: inboundId }: Item): number {
  return id ?? inboundId ?? 0;
}
