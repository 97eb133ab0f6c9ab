import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { deliveriesQuery } from './queries.ts';

export const webhookRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'webhook',
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/webhook'), deliveriesQuery(api));
  },
  component: lazyPage(() => import('./webhook-page.tsx'), 'WebhookPage'),
});
