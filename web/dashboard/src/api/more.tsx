import { Button } from '../../../parts/buttons/button.tsx';
import { common } from '../../../texts/common.ts';

/** The button for the next part of a list, as long as there is one. */
export function More({
  query,
  className = 'px-5 py-3',
  label = common('showMore'),
  wide = false,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  className?: string;
  label?: string;
  wide?: boolean;
}) {
  // Stays at the end of the list, where it takes the focus of the button that disappears with the last part.
  return (
    <div tabIndex={-1} className={query.hasNextPage ? className : 'sr-only'}>
      {query.hasNextPage && (
        <Button
          small
          busy={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
          className={wide ? 'w-full' : ''}
        >
          {label}
        </Button>
      )}
    </div>
  );
}
