import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/overview'), api.asked('/webhook'), api.asked('/stores'));
  },
  component: lazyPage(() => import('./overview-page.tsx'), 'OverviewPage'),
});
