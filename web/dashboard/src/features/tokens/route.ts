import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';

export const apiRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'api',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/api-settings'));
  },
  component: lazyPage(() => import('./api-page.tsx'), 'ApiPage'),
});
