import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { storeEventsQuery } from './queries.ts';

export const storeRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'stores/$store',
  loader: ({ context: { queries, api }, params: { store: id } }) => {
    startLoading(
      queries,
      api.asked('/stores/{id}', { path: { id } }),
      api.asked('/stores/platforms'),
      storeEventsQuery(api, id),
    );
  },
  component: lazyPage(() => import('./store-page.tsx'), 'StorePage'),
});
