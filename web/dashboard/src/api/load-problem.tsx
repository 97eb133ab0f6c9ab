import { useQueryClient } from '@tanstack/react-query';
import { Problem } from '../../../parts/behaviour/problem.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Notice } from '../../../parts/page/page.tsx';
import { common } from '../../../texts/common.ts';
import { inWords } from './faults.ts';

/** Shown in place of data that could not be loaded. One retry requests everything that is missing on the page. */
export function LoadProblem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const queries = useQueryClient();
  const retryAll = () =>
    queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null });
  return (
    <div role="alert">
      <Notice
        tone="bad"
        action={
          <Button small onClick={onRetry ?? retryAll}>
            {common('tryAgain')}
          </Button>
        }
      >
        {error instanceof Problem ? inWords(error).message : common('somethingWrong')}
      </Notice>
    </div>
  );
}
