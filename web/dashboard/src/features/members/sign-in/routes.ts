import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../../shell/loading/lazy-page.ts';
import { rootRoute } from '../../../shell/root-route.ts';
import { isOwnPage } from './is-own-page.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // Set to undefined, because the router keeps parameters that are left out.
  validateSearch: ({ next }): { next?: string } => ({
    next: isOwnPage(next, location.origin) ? next : undefined,
  }),
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyPage(() => import('./welcome-page.tsx'), 'WelcomePage'),
});
