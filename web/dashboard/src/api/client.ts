import { createCalls } from './calls.ts';
import type { AuthPaths, TenantPaths } from './schema.ts';

export type TenantApi = ReturnType<typeof tenantApi>;

/** The calls of one tenant's dashboard. Paths start after the tenant. */
export function tenantApi(tenant: string) {
  return createCalls<TenantPaths>(`/dashboard-api/${encodeURIComponent(tenant)}`);
}

/** The calls of sign-in and account. */
export const auth = createCalls<AuthPaths>('/auth');
