import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { messagesQuery } from './queries.ts';
import { readMessageSearch } from './search.ts';

export const messagesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'messages',
  validateSearch: readMessageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, api }, deps: search }) => {
    startLoading(queries, messagesQuery(api, search), api.asked('/numbers'));
  },
  component: lazyPage(() => import('./messages-page.tsx'), 'MessagesPage'),
});
