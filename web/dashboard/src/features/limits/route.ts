import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { readPeriodSearch } from '../../shell/charts/period.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { usageQuery } from './queries.ts';

export const usageRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'usage',
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, api }, deps: { days } }) => {
    startLoading(queries, usageQuery(api, days));
  },
  component: lazyPage(() => import('./usage-page.tsx'), 'UsagePage'),
});
