import { useEffect } from 'react';
import { askForDashboard, PageNotLoaded } from '../api.ts';
import { LoadProblem } from '../parts/page.tsx';

/** In place of a page that broke, or could not be loaded. */
export function PageProblem({ error }: { error: unknown }) {
  useEffect(() => {
    if (error instanceof PageNotLoaded) void reloadIf('isLater');
  }, [error]);
  return (
    <main className="mx-auto max-w-2xl p-8">
      <LoadProblem error={error} onRetry={() => reloadIf('answers')} />
    </main>
  );
}

/** A reload while the service is away would leave nothing but the browser's own words. */
async function reloadIf(found: 'answers' | 'isLater'): Promise<void> {
  if ((await askForDashboard())[found]) location.reload();
}
