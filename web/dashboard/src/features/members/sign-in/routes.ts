import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../../shell/loading/lazy-page.ts';
import { rootRoute } from '../../../shell/root-route.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // Set to undefined, because the router keeps parameters that are left out.
  validateSearch: ({ next }): { next?: string } => ({ next: isOwnPage(next) ? next : undefined }),
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyPage(() => import('./welcome-page.tsx'), 'WelcomePage'),
});

/** Whether a sign-in may lead to an address: a page of ours, except the sign-in itself. */
function isOwnPage(address: unknown): address is string {
  // Parsed as the browser does, because `//elsewhere`, also with a tab between the slashes, is another site.
  const url = typeof address === 'string' ? URL.parse(address, location.origin) : null;
  return url?.origin === location.origin && url.pathname !== '/sign-in';
}
