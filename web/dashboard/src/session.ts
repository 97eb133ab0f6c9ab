import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { forgetTab } from '../../parts/behaviour/browser-storage.ts';
import { Problem } from '../../parts/behaviour/problem.ts';
import { showProblem } from '../../parts/overlays/toasts.ts';
import { shell } from '../../texts/shell.ts';
import { auth, tenantApi } from './api/client.ts';
import type { SessionData } from './api/records.ts';
import { hasRight, type Right } from './rights.ts';

export const sessionQuery = { ...auth.asked('/session'), staleTime: 60_000 };

/** Who is signed in; below the shell there always is somebody. */
export function useSession(): NonNullable<SessionData> {
  const { data } = useQuery(sessionQuery);
  return data ?? { email: '', name: '', two_factor: false, tenants: [] };
}

/** Who is signed in. If the session has ended, the router leads to the sign-in. */
export function useSignedIn(): SessionData {
  return useQuery(sessionQuery).data ?? null;
}

/** The tenant of the address, with the calls that concern it. */
export function useTenant() {
  const { tenant: slug } = useParams({ from: '/t/$tenant' });
  const { tenants } = useSession();
  const found = tenants.find((each) => each.slug === slug);
  return useMemo(
    () => ({
      slug,
      name: found?.name ?? slug,
      can: (right: Right) => hasRight(found?.role, right),
      api: tenantApi(slug),
    }),
    [slug, found],
  );
}

const sessionChannel = 'parley-session';

/** Calls `onSignOut` whenever somebody signs out in another tab. */
export function listenForSignOut(onSignOut: () => void): void {
  new BroadcastChannel(sessionChannel).onmessage = onSignOut;
}

let isSignedOut = false;

/** Whether the page is about to be left after a sign-out, which must not be asked about any more. */
export const isLeavingAfterSignOut = (): boolean => isSignedOut;

/** Signs out. If leaving the page would lose something, this asks first. */
export function useSignOut() {
  const queries = useQueryClient();
  async function signOut(everywhere: boolean): Promise<void> {
    try {
      await auth.post(everywhere ? '/revoke-sessions' : '/sign-out');
    } catch (error) {
      // A person without a session is already signed out. Other failures must not look like success.
      if (!(error instanceof Problem && error.status === 401)) return showProblem(error);
    }
    isSignedOut = true;
    queries.clear();
    const channel = new BroadcastChannel(sessionChannel);
    channel.postMessage('signed-out');
    channel.close();
    // Such as what was written and not sent.
    forgetTab();
    location.assign('/sign-in');
  }
  return async (everywhere = false): Promise<void> => {
    // Those that would keep the browser from leaving the page are asked without leaving it.
    const losesNothing = dispatchEvent(new Event('beforeunload', { cancelable: true }));
    if (losesNothing) return signOut(everywhere);
    showProblem(new Problem(0, shell('signOutUnsaved')), {
      words: shell('signOutAnyway'),
      run: () => void signOut(everywhere),
    });
  };
}
