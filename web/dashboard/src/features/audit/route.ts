import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { auditQuery, readAuditSearch } from './search.ts';

export const auditRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'audit',
  validateSearch: readAuditSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, api }, deps: search }) => {
    startLoading(queries, auditQuery(api, search), api.asked('/audit/actors'));
  },
  component: lazyPage(() => import('./audit-page.tsx'), 'AuditPage'),
});
