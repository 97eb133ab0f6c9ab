import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { storeEventsQuery, storeQuery } from './queries.ts';
import { readStoreSearch } from './search.ts';

export const storeRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'stores/$store',
  validateSearch: readStoreSearch,
  loaderDeps: ({ search: { days, state, q } }) => ({ days, state, q }),
  loader: ({ context: { queries, api }, params: { store: id }, deps }) => {
    startLoading(
      queries,
      storeQuery(api, id, deps.days),
      api.asked('/stores/platforms'),
      storeEventsQuery(api, id, deps),
    );
  },
  component: lazyPage(() => import('./store-page.tsx'), 'StorePage'),
});
