import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { PageNotLoaded } from './api/client.ts';
import { keep, kept } from './browser-storage.ts';
import { readContactSearch } from './features/contacts/search.ts';
import { readConversationSearch } from './features/conversations/search.ts';
import { sessionQuery } from './session.ts';
import { NotFound } from './shell/not-found.tsx';
import { PageProblem } from './shell/page-problem.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { Shell } from './shell/shell.tsx';

/** The tenant that was looked at last: the next visit begins there. */
const tenantKey = 'parley-tenant';

/** Every page by its address; each is loaded when it is first wanted. */
export function createDashboardRouter(queries: QueryClient) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

  async function signedIn(next: string) {
    const session = await queries.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/sign-in', search: { next } });
    return session;
  }

  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: async () => {
      const { tenants } = await signedIn('/');
      const last = kept('localStorage', tenantKey);
      const tenant = tenants.find((each) => each.slug === last) ?? tenants[0];
      if (tenant) throw redirect({ to: '/t/$tenant', params: { tenant: tenant.slug } });
    },
    component: lazyPage(() => import('./features/account/account-page.tsx'), 'NoTenant'),
  });
  const signIn = createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    // Said to be undefined, since the router keeps what is left out as the address has it.
    validateSearch: ({ next }): { next?: string } => ({ next: isOwnPage(next) ? next : undefined }),
    component: lazyPage(() => import('./features/sign-in/sign-in-page.tsx'), 'SignInPage'),
  });
  const welcome = createRoute({
    getParentRoute: () => root,
    path: '/welcome',
    component: lazyPage(() => import('./features/sign-in/welcome-page.tsx'), 'WelcomePage'),
  });
  const account = createRoute({
    getParentRoute: () => root,
    path: '/account',
    beforeLoad: async () => {
      await signedIn('/account');
    },
    component: lazyPage(() => import('./features/account/account-page.tsx'), 'AccountPage'),
  });

  const tenant = createRoute({
    getParentRoute: () => root,
    path: '/t/$tenant',
    beforeLoad: async ({ params, location }) => {
      const { tenants } = await signedIn(location.href);
      if (tenants.some((each) => each.slug === params.tenant)) {
        keep('localStorage', tenantKey, params.tenant);
      }
    },
    component: Shell,
  });
  const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyPage>) =>
    createRoute({ getParentRoute: () => tenant, path, component });

  const pages = [
    page(
      '/',
      lazyPage(() => import('./features/overview/overview-page.tsx'), 'OverviewPage'),
    ),
    page(
      'api',
      lazyPage(() => import('./features/api-settings/api-page.tsx'), 'ApiPage'),
    ),
    page(
      'numbers',
      lazyPage(() => import('./features/numbers/numbers-page.tsx'), 'NumbersPage'),
    ),
    createRoute({
      getParentRoute: () => tenant,
      path: 'contacts',
      validateSearch: readContactSearch,
      component: lazyPage(() => import('./features/contacts/contacts-page.tsx'), 'ContactsPage'),
    }),
    page(
      'labels',
      lazyPage(() => import('./features/labels/labels-page.tsx'), 'LabelsPage'),
    ),
    page(
      'templates',
      lazyPage(() => import('./features/templates/templates-page.tsx'), 'TemplatesPage'),
    ),
    createRoute({
      getParentRoute: () => tenant,
      path: 'conversations',
      validateSearch: readConversationSearch,
      component: lazyPage(
        () => import('./features/conversations/conversations-page.tsx'),
        'ConversationsPage',
      ),
    }),
    page(
      'webhook',
      lazyPage(() => import('./features/webhook/webhook-page.tsx'), 'WebhookPage'),
    ),
    page(
      'stores',
      lazyPage(() => import('./features/stores/stores-page.tsx'), 'StoresPage'),
    ),
    page(
      'stores/$store',
      lazyPage(() => import('./features/stores/store-page.tsx'), 'StorePage'),
    ),
    page(
      'usage',
      lazyPage(() => import('./features/usage/usage-page.tsx'), 'UsagePage'),
    ),
    page(
      'bots',
      lazyPage(() => import('./features/bots/bots-page.tsx'), 'BotsPage'),
    ),
    page(
      'members',
      lazyPage(() => import('./features/members/members-page.tsx'), 'MembersPage'),
    ),
  ];

  return createRouter({
    routeTree: root.addChildren([start, signIn, welcome, account, tenant.addChildren(pages)]),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageProblem,
    defaultNotFoundComponent: NotFound,
  });
}

/**
 * A page whose code is loaded when it is first wanted. The router's own way would reload at once when
 * that fails, and so leave the dashboard also where the service is only away.
 */
function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      load().catch((error) => {
        throw new PageNotLoaded(error);
      }),
    name,
  );
}

/** Where a sign-in may lead: a page of ours, and not the sign-in again. */
function isOwnPage(address: unknown): address is string {
  // As the browser will read it: also `//elsewhere`, or a tab between the two, would lead away.
  const url = typeof address === 'string' ? URL.parse(address, location.origin) : null;
  return url?.origin === location.origin && url.pathname !== '/sign-in';
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
