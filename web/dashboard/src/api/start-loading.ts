import type {
  FetchInfiniteQueryOptions,
  FetchQueryOptions,
  QueryClient,
} from '@tanstack/react-query';

/** A query by `asked`, `askedPage` or `askedInParts`. */
type Wanted = { queryKey: readonly unknown[]; initialPageParam?: unknown };

/**
 * Starts to load the data of a page, beside its code. The page shows the data when it has come, or why it did not
 * come. Data that is fresh is not loaded again.
 */
export function startLoading(queries: QueryClient, ...wanted: Wanted[]): void {
  for (const each of wanted) {
    if ('initialPageParam' in each) {
      // The page knows which parts to load again, such as none if live events change them.
      if (queries.getQueryData(each.queryKey)) continue;
      void queries.prefetchInfiniteQuery(each as unknown as FetchInfiniteQueryOptions);
    } else {
      void queries.prefetchQuery(each as unknown as FetchQueryOptions);
    }
  }
}
