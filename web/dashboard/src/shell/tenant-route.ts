import { createRoute, redirect } from '@tanstack/react-router';
import { keep, kept } from '../../../parts/behaviour/browser-storage.ts';
import { tenantApi } from '../api/client.ts';
import { lazyPage } from './loading/lazy-page.ts';
import { rootRoute, signedIn } from './root-route.ts';
import { Shell } from './shell.tsx';

/** The tenant that was shown last. The next visit begins with it. */
const tenantKey = 'parley-tenant';

/** The start, which leads to the pages of a tenant. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context: { queries } }) => {
    const { tenants } = await signedIn(queries, '/');
    const last = kept('localStorage', tenantKey);
    const tenant = tenants.find((each) => each.slug === last) ?? tenants[0];
    if (tenant) throw redirect({ to: '/t/$tenant', params: { tenant: tenant.slug } });
  },
  component: lazyPage(() => import('../features/members/account/account-page.tsx'), 'NoTenant'),
});

/** The parent of the pages of a tenant. Their loaders get its calls. */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/t/$tenant',
  beforeLoad: async ({ context: { queries }, params: { tenant }, location, preload }) => {
    const { tenants } = await signedIn(queries, location.href);
    const isMember = tenants.some((each) => each.slug === tenant);
    if (isMember && !preload) keep('localStorage', tenantKey, tenant);
    return { api: tenantApi(tenant) };
  },
  component: Shell,
});
