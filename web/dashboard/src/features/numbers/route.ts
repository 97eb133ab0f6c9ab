import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';

export const numbersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'numbers',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/numbers'), api.asked('/inbound-settings'));
  },
  component: lazyPage(() => import('./numbers-page.tsx'), 'NumbersPage'),
});
