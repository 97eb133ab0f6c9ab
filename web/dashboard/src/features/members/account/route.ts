import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../../shell/loading/lazy-page.ts';
import { rootRoute, signedIn } from '../../../shell/root-route.ts';

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  beforeLoad: async ({ context: { queries } }) => {
    await signedIn(queries, '/account');
  },
  component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
});
