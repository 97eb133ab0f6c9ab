import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';

export const usageRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'usage',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/usage'));
  },
  component: lazyPage(() => import('./usage-page.tsx'), 'UsagePage'),
});
