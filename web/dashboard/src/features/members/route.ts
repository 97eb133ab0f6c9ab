import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';

export const membersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'members',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/members'));
  },
  component: lazyPage(() => import('./members-page.tsx'), 'MembersPage'),
});
