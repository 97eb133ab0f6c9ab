import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { requestsQuery } from './queries.ts';
import { readRequestSearch } from './search.ts';

export const requestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'requests',
  validateSearch: readRequestSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, api }, deps: search }) => {
    startLoading(
      queries,
      requestsQuery(api, search),
      api.asked('/request-bodies'),
      api.asked('/api-settings'),
    );
  },
  component: lazyPage(() => import('./requests-page.tsx'), 'RequestsPage'),
});
