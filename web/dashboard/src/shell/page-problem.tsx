import { useEffect } from 'react';
import { keep, kept } from '../../../parts/behaviour/browser-storage.ts';
import { loadOnceMore } from '../../../parts/behaviour/load-once-more.ts';
import { shell } from '../../../texts/shell.ts';
import { askForDashboard } from '../api/ask-for-dashboard.ts';
import { LoadProblem } from '../api/load-problem.tsx';
import { PageNotLoaded } from '../api/problems.ts';
import { MainContent } from './main-content.tsx';

/** Replaces a page that failed or could not be loaded. */
export function PageProblem({ error }: { error: unknown }) {
  useEffect(() => {
    if (!(error instanceof PageNotLoaded)) return;
    void loadAnew();
    addEventListener('online', loadAnew);
    return () => removeEventListener('online', loadAnew);
  }, [error]);
  return (
    <MainContent className="mx-auto max-w-2xl p-8">
      <h1 className="sr-only">{shell('pageProblem')}</h1>
      <LoadProblem error={error} onRetry={loadOnceMore} />
    </MainContent>
  );
}

/** Reloads, because a browser requests the code of a page only once, even if it did not arrive. */
async function loadAnew(): Promise<void> {
  const { isReachable, isNewer } = await askForDashboard();
  if (isNewer || (isReachable && isFirstInAWhile())) location.reload();
}

const reloadedKey = 'parley-reloaded';
const awhileMs = 60_000;

/**
 * Whether the last reload was a while ago. Without session storage it is false, so that a file that never arrives does
 * not cause endless reloads.
 */
function isFirstInAWhile(): boolean {
  const now = Date.now();
  const isRecent = now - Number(kept('sessionStorage', reloadedKey)) < awhileMs;
  return !isRecent && keep('sessionStorage', reloadedKey, String(now));
}
