import { createKeyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { createTtlCache } from '../concurrency/ttl-cache.ts';

/** A tenant stays apart for this time after it was locked: it may be locked again at once. */
const staysApartMs = 30_000;
/** Of each of the two kinds in `withPermit`, so that most connections are left to shared runs. */
const maxLanesAtOnce = 2;

/** The tenants whose rows were locked for long within the last half minute. */
export type LockedTenants = ReturnType<typeof createLockedTenants>;

/** Creates the registry of locked tenants, which all batches of a database share. */
export function createLockedTenants() {
  const locked = createTtlCache<true>({ ttlMs: staysApartMs });
  return {
    has: (tenantId: number): boolean => locked.get(String(tenantId)) === true,
    add: (tenantId: number): void => locked.set(String(tenantId), true),
  };
}

/** What the lanes of all batches have in common that use the connections of one pool. */
export type Lanes = ReturnType<typeof createLanes>;

export function createLanes(locked: LockedTenants) {
  const { withPermit } = createKeyedSemaphore<'locked' | 'open'>(maxLanesAtOnce);
  return {
    locked,
    /**
     * Waits until the pool has a connection for a run of the tenant's lane. Tenants that were locked, whose runs may
     * wait for locks, only wait for one another.
     */
    withPermit: <Result>(tenantId: number, work: () => Promise<Result>): Promise<Result> =>
      withPermit(locked.has(tenantId) ? 'locked' : 'open', work),
  };
}
