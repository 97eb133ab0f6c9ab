import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { answersQuery } from './queries.ts';

export const botsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'bots',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/bots'), answersQuery(api));
  },
  component: lazyPage(() => import('./bots-page.tsx'), 'BotsPage'),
});
