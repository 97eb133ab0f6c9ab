import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';

export const labelsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'labels',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/statuses'), api.asked('/sources'), api.asked('/groups'));
  },
  component: lazyPage(() => import('./labels-page.tsx'), 'LabelsPage'),
});
