import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { readPeriodSearch } from '../../shell/charts/period.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { overviewQuery } from './queries.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/',
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, api }, deps: { days } }) => {
    startLoading(
      queries,
      overviewQuery(api, days),
      api.asked('/webhook/endpoints'),
      api.asked('/stores'),
    );
  },
  component: lazyPage(() => import('./overview-page.tsx'), 'OverviewPage'),
});
