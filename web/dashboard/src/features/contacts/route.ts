import { createRoute, redirect } from '@tanstack/react-router';
import { startLoading } from '../../api/start-loading.ts';
import { lazyPage } from '../../shell/loading/lazy-page.ts';
import { tenantRoute } from '../../shell/tenant-route.ts';
import { bulksQuery, contactsQuery, importsQuery } from './queries.ts';
import { lastPageOf, readContactSearch } from './search.ts';

export const contactsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'contacts',
  validateSearch: readContactSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queries, api }, deps: search, params, cause }) => {
    startLoading(queries, api.asked('/statuses'), api.asked('/sources'), api.asked('/groups'));
    // Each contact that is listed is an event of the tenant's webhook, so that a hover must not list any.
    if (cause === 'preload') return;
    startLoading(
      queries,
      contactsQuery(api, search),
      bulksQuery(api, queries),
      importsQuery(api, queries),
      api.asked('/contact-merges'),
    );
    // An address with a page that does not exist any more.
    if (cause !== 'enter' || search.page === undefined) return;
    const found = await queries.ensureQueryData(contactsQuery(api, search)).catch(() => undefined);
    const last = found && lastPageOf(search, found.pagination.total_pages);
    if (last) throw redirect({ to: '/t/$tenant/contacts', params, search: last, replace: true });
  },
  component: lazyPage(() => import('./contacts-page.tsx'), 'ContactsPage'),
});
