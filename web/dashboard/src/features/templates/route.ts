import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { templatesQuery } from './queries.ts';
import { readTemplateSearch } from './search.ts';

export const templatesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'templates',
  validateSearch: readTemplateSearch,
  loaderDeps: ({ search: { number } }) => ({ number }),
  loader: ({ context: { queries, api }, deps: { number } }) => {
    startLoading(queries, templatesQuery(api, number), api.asked('/numbers'));
  },
  component: lazyPage(() => import('./templates-page.tsx'), 'TemplatesPage'),
});
