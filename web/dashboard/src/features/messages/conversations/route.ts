import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../../api/start-loading.ts';
import { lazyPage } from '../../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../../shell/tenant-route.ts';
import { conversationsQuery, threadQuery } from './queries.ts';
import { readConversationSearch } from './search.ts';

export const conversationsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'conversations',
  validateSearch: readConversationSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, api }, deps: search, cause }) => {
    // The mouse passes many conversations of the list, and each would be read.
    const opens = search.phone !== undefined && cause !== 'preload';
    startLoading(
      queries,
      conversationsQuery(api, search),
      ...(opens ? [threadQuery(api, search.phone!)] : []),
    );
    // The page has them while it stays, and another conversation needs no others.
    if (cause === 'stay') return;
    startLoading(
      queries,
      api.asked('/members'),
      api.asked('/numbers'),
      api.asked('/statuses'),
      api.asked('/sources'),
      api.asked('/groups'),
    );
  },
  component: lazyPage(() => import('./conversations-page.tsx'), 'ConversationsPage'),
});
