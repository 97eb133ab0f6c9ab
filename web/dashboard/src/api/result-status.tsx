import { useState } from 'react';
import { common } from '../../../texts/common.ts';

/**
 * Announces to screen readers what a search or a filter has found, when its results are shown. Entries that come or go
 * later are not announced.
 *
 * @param filter everything that narrows the list
 * @param count the results that are shown, or all
 */
export function ResultStatus({
  query: { data, isPlaceholderData, hasNextPage = false },
  filter,
  count,
  more = hasNextPage,
}: {
  query: { data: unknown; isPlaceholderData: boolean; hasNextPage?: boolean };
  filter: object;
  count: number;
  more?: boolean;
}) {
  const key = JSON.stringify(filter);
  const [said, setSaid] = useState({ key, words: '' });
  if (said.key !== key && data !== undefined && !isPlaceholderData) {
    setSaid({ key, words: common('found', { count, more: String(more) }) });
  }
  return (
    <p role="status" className="sr-only">
      {said.key === key && said.words}
    </p>
  );
}
