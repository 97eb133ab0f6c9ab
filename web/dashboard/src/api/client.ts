import { createCalls } from './calls.ts';
import { type LiveListener, listenLive } from './live.ts';
import type { AuthPaths, TenantPaths } from './schema.ts';

export type TenantApi = ReturnType<typeof tenantApi>;

/** The calls of one tenant's dashboard. Paths start after the tenant. */
export function tenantApi(tenant: string) {
  const calls = createCalls<TenantPaths>(`/dashboard-api/${encodeURIComponent(tenant)}`);
  return {
    ...calls,
    live: (person: string, listener: LiveListener) =>
      listenLive(calls.address('/live'), person, listener),
  };
}

/** The calls of sign-in and account. */
export const auth = createCalls<AuthPaths>('/auth');

/**
 * Asks for the page that the dashboard begins with.
 *
 * @returns whether the service answers, and with a later dashboard than the one that is open
 */
export async function askForDashboard(): Promise<{ answers: boolean; isLater: boolean }> {
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return { answers: false, isLater: false };
  const open = document.querySelector('script[type=module]')?.getAttribute('src') ?? '';
  return { answers: true, isLater: !(await answer.text()).includes(open) };
}
