import type { Query, QueryClient } from '@tanstack/react-query';

/** Returns what becomes of the cached data of a query. */
export type Change<Data = unknown> = (data: Data) => Data;

export type CachedLists = ReturnType<typeof createCachedLists>;

/**
 * Changes cached lists while requests for them may be on their way. A response that is older than a change does
 * not undo it.
 */
export function createCachedLists(queries: QueryClient) {
  /** The queries whose first part is being read, with the changes since the request began. */
  const reading = new Map<string, { isWanted: boolean; changes: Change[] }>();

  /** Changes cached data, again after the requests that are on their way. The data stays as stale as it was. */
  function change<Data>(query: Query, to: Change<Data>): void {
    apply(query, to);
    reading.get(query.queryHash)?.changes.push(to as Change);
    if (query.state.fetchStatus !== 'fetching') return;
    query.promise?.catch(() => {}).finally(() => setTimeout(() => apply(query, to)));
  }

  function apply<Data>(query: Query, to: Change<Data>): void {
    const { isInvalidated, dataUpdatedAt } = query.state;
    queries.setQueryData<Data>(query.queryKey, (data) => data && to(data), {
      updatedAt: dataUpdatedAt,
    });
    if (isInvalidated) query.invalidate();
  }

  /**
   * Reads the first part of a list again. If that is wanted while it is being read, it is read once more afterwards,
   * because the response may lack the latest changes. If it cannot be read, the list is marked as stale.
   *
   * @param read resolves to how the first part is replaced
   */
  async function readFirst<Data>(query: Query, read: () => Promise<Change<Data>>): Promise<void> {
    const running = reading.get(query.queryHash);
    if (running) {
      running.isWanted = true;
      return;
    }
    const state = { isWanted: true, changes: [] as Change[] };
    reading.set(query.queryHash, state);
    try {
      while (state.isWanted) {
        state.isWanted = false;
        state.changes = [];
        const replace = await read();
        for (const each of [replace as Change, ...state.changes.splice(0)]) change(query, each);
      }
    } catch {
      query.invalidate();
    } finally {
      reading.delete(query.queryHash);
    }
  }

  return { change, readFirst };
}
