import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { deliveriesQuery, settingsQuery } from './queries.ts';
import { readDeliverySearch } from './search.ts';

export const webhookRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'webhook',
  validateSearch: readDeliverySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, api }, deps: search }) => {
    startLoading(
      queries,
      settingsQuery(api, search),
      api.asked('/webhook/endpoints'),
      deliveriesQuery(api, search),
    );
  },
  component: lazyPage(() => import('./webhook-page.tsx'), 'WebhookPage'),
});
