import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { auditRoute } from './features/audit/route.ts';
import { botsRoute } from './features/bots/route.ts';
import { contactsRoute } from './features/contacts/route.ts';
import { labelsRoute } from './features/labels/route.ts';
import { usageRoute } from './features/limits/route.ts';
import { accountRoute } from './features/members/account/route.ts';
import { membersRoute } from './features/members/route.ts';
import { signInRoute, welcomeRoute } from './features/members/sign-in/routes.ts';
import { conversationsRoute } from './features/messages/conversations/route.ts';
import { messagesRoute } from './features/messages/route.ts';
import { numbersRoute } from './features/numbers/route.ts';
import { overviewRoute } from './features/overview/route.ts';
import { requestsRoute } from './features/requests/route.ts';
import { storesRoute } from './features/stores/route.ts';
import { storeRoute } from './features/stores/store-route.ts';
import { templatesRoute } from './features/templates/route.ts';
import { apiRoute } from './features/tokens/route.ts';
import { webhookRoute } from './features/webhooks/route.ts';
import { sessionQuery } from './session.ts';
import { PageSkeleton } from './shell/loading/page-skeleton.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageProblem } from './shell/page-problem.tsx';
import { rootRoute } from './shell/root-route.ts';
import { startRoute, tenantRoute } from './shell/tenant-route.ts';

const routeTree = rootRoute.addChildren([
  startRoute,
  signInRoute,
  welcomeRoute,
  accountRoute,
  tenantRoute.addChildren([
    overviewRoute,
    apiRoute,
    requestsRoute,
    numbersRoute,
    contactsRoute,
    labelsRoute,
    templatesRoute,
    conversationsRoute,
    messagesRoute,
    webhookRoute,
    storesRoute,
    storeRoute,
    usageRoute,
    botsRoute,
    membersRoute,
    auditRoute,
  ]),
]);

/** Every page by its address. A page's code and data are loaded together, also when a link to it is hovered. */
export function createDashboardRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    // The queries know how long their data is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageProblem,
    defaultNotFoundComponent: NotFound,
  });
  onSessionEnd(queries, () => void router.invalidate());
  return router;
}

/** Calls `listener` when the session of the person who was signed in has ended. */
function onSessionEnd(queries: QueryClient, listener: () => void): void {
  let wasSignedIn = false;
  const cache = queries.getQueryCache();
  cache.subscribe(({ query, type }) => {
    if (type !== 'updated' || query !== cache.find(sessionQuery)) return;
    const isSignedIn = Boolean(query.state.data);
    if (wasSignedIn && !isSignedIn) listener();
    wasSignedIn = isSignedIn;
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
