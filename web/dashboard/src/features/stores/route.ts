import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';

export const storesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'stores',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/stores'), api.asked('/stores/platforms'));
  },
  component: lazyPage(() => import('./stores-page.tsx'), 'StoresPage'),
});
