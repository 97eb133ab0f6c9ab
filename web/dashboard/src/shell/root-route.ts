import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../session.ts';
import { NotFound } from './not-found.tsx';

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

/**
 * Returns the session of the person who is signed in.
 *
 * @param next the page that the sign-in leads to
 * @throws a redirect to the sign-in if nobody is signed in
 */
export async function signedIn(queries: QueryClient, next: string) {
  const session = await queries.ensureQueryData(sessionQuery);
  if (!session) throw redirect({ to: '/sign-in', search: { next } });
  return session;
}
