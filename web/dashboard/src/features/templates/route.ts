import { createRoute } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { readTemplateSearch } from './search.ts';

export const templatesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'templates',
  validateSearch: readTemplateSearch,
  loader: ({ context: { queries, api } }) => {
    startLoading(queries, api.asked('/template-overview'), api.asked('/numbers'));
  },
  component: lazyPage(() => import('./templates-page.tsx'), 'TemplatesPage'),
});
