import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../session.ts';
import { NotFound } from './not-found.tsx';

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

let isFirstView = true;

/**
 * Takes the refusals that the page loaded in advance for a session that has ended, so that nothing else gets them and
 * the browser does not warn that they were not used.
 */
function discardPreloads(): void {
  const links = document.querySelectorAll<HTMLLinkElement>(
    'link[as=fetch][href^="/dashboard-api/"]',
  );
  for (const { href } of links) fetch(href, { credentials: 'same-origin' }).catch(() => {});
}

/**
 * Returns the session of the person who is signed in.
 *
 * @param next the page that the sign-in leads to
 * @throws a redirect to the sign-in if nobody is signed in
 */
export async function signedIn(queries: QueryClient, next: string) {
  const session = await queries.ensureQueryData(sessionQuery);
  if (isFirstView && !session) discardPreloads();
  isFirstView = false;
  if (!session) throw redirect({ to: '/sign-in', search: { next } });
  return session;
}
