import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';

/**
 * Adds the open entry of a log to those that are loaded, as the first one, if it is not among them: an address can
 * open one that is far behind them, or that does not pass the filter.
 *
 * @param loaded undefined until the first part is loaded
 * @param query loads the open entry
 * @param entriesIn returns the entries in the response of the query
 */
export function useWithOpen<Entry extends { id: number }, Data, Key extends QueryKey>(
  loaded: Entry[] | undefined,
  open: number | undefined,
  query: (id: number) => UseQueryOptions<Data, Error, Data, Key>,
  entriesIn: (data: Data) => Entry[],
): Entry[] {
  const isOpen = ({ id }: Entry) => id === open;
  const isMissing = open !== undefined && loaded !== undefined && !loaded.some(isOpen);
  const { data } = useQuery({ ...query(open ?? 0), enabled: isMissing });
  const far = isMissing && data !== undefined ? entriesIn(data).filter(isOpen) : [];
  return [...far, ...(loaded ?? [])];
}
