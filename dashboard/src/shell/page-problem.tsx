import { LoadProblem } from '../parts/page.tsx';

/** In place of a page that broke, or could not be loaded. */
export function PageProblem({ error }: { error: unknown }) {
  return (
    <main className="mx-auto max-w-2xl p-8">
      <LoadProblem error={error} onRetry={() => location.reload()} />
    </main>
  );
}
