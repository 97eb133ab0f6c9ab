import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { storeEventsQuery, storeQuery } from './queries.ts';
import { readStoreSearch } from './search.ts';

export const storeRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'stores/$store',
  validateSearch: readStoreSearch,
  loaderDeps: ({ search: { days, state } }) => ({ days, state }),
  loader: ({ context: { queries, api }, params: { store: id }, deps: { days, state } }) => {
    startLoading(
      queries,
      storeQuery(api, id, days),
      api.asked('/stores/platforms'),
      storeEventsQuery(api, id, state),
    );
  },
  component: lazyPage(() => import('./store-page.tsx'), 'StorePage'),
});
