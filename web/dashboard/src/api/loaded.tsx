import type { ReactNode } from 'react';
import { Card, Skeleton } from '../../../parts/page/page.tsx';
import { LoadProblem } from './load-problem.tsx';

type Query<Data> = { data: Data | undefined; error: unknown; isPlaceholderData?: boolean };

/**
 * Shows a query: a skeleton while it loads, the problem if it fails, a text if it is empty, otherwise its data.
 * Data stays beside the problem if it cannot be loaded again, because somebody may be typing in it. The results of
 * the previous filter are dimmed until those of the next one come.
 *
 * @param inset the padding of skeleton and problem, in a list that reaches the edges of its card; without it, they
 *   are parts of a page
 */
export function Loaded<Data>({
  query: { data, error, isPlaceholderData = false },
  lines = 4,
  inset,
  isEmpty = false,
  empty,
  className = inset === undefined ? 'grid grid-cols-1 gap-5' : '',
  children,
}: {
  query: Query<Data>;
  lines?: number;
  inset?: string;
  isEmpty?: boolean;
  empty?: ReactNode;
  /** The classes around the data. */
  className?: string;
  children: (data: Data) => ReactNode;
}) {
  const isLoading = data === undefined || (isPlaceholderData && isEmpty);
  return (
    <>
      {Boolean(error) && (
        <div className={inset}>
          <LoadProblem error={error} />
        </div>
      )}
      {isLoading && !error && <Loading lines={lines} inset={inset} />}
      {!isLoading && isEmpty && empty}
      {!isLoading && (!isEmpty || empty === undefined) && (
        <div className={`${className} ${isPlaceholderData ? 'opacity-60' : ''}`}>
          {children(data)}
        </div>
      )}
    </>
  );
}

function Loading({ lines, inset }: { lines: number; inset: string | undefined }) {
  const skeleton = <Skeleton lines={lines} />;
  return inset === undefined ? <Card>{skeleton}</Card> : <div className={inset}>{skeleton}</div>;
}
