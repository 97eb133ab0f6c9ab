import { useEffect } from 'react';
import { keep, kept } from '../../../parts/browser-storage.ts';
import { shell } from '../../../texts/shell.ts';
import { askForDashboard } from '../api/ask-for-dashboard.ts';
import { LoadProblem } from '../api/load-problem.tsx';
import { PageNotLoaded } from '../api/problems.ts';
import { MainContent } from './main-content.tsx';

/** In place of a page that broke, or could not be loaded. */
export function PageProblem({ error }: { error: unknown }) {
  useEffect(() => {
    if (error instanceof PageNotLoaded) void loadAnew();
  }, [error]);
  return (
    <MainContent className="mx-auto max-w-2xl p-8">
      <h1 className="sr-only">{shell('pageProblem')}</h1>
      <LoadProblem error={error} onRetry={loadOnceMore} />
    </MainContent>
  );
}

/** A reload while the service is away would leave nothing but the browser's own words. */
async function loadOnceMore(): Promise<void> {
  if ((await askForDashboard()).answers) location.reload();
}

/** A browser asks once for the code of a page: what was lost on its way comes with a reload only. */
async function loadAnew(): Promise<void> {
  const { answers, isLater } = await askForDashboard();
  if (isLater || (answers && isFirstInAWhile())) location.reload();
}

const reloadedKey = 'parley-reloaded';
const awhileMs = 60_000;

/** What never comes must not reload for ever, also where nothing can be kept. */
function isFirstInAWhile(): boolean {
  const now = Date.now();
  const wasLately = now - Number(kept('sessionStorage', reloadedKey)) < awhileMs;
  return !wasLately && keep('sessionStorage', reloadedKey, String(now));
}
