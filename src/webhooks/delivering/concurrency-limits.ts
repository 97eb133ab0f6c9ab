/** The highest limit of concurrent deliveries of one tenant in one process. */
const maxLimit = 64;
const initialLimit = 8;
/** After so many failures in a row, the circuit breaker of a tenant opens. */
const breakAfterFailures = 5;
/** The tenants of a process whose circuit breakers are open share this many attempts per second. */
const probesPerSecond = 50;

type Tenant = {
  inFlight: number;
  limit: number;
  failuresInRow: number;
  /** Times of the monotonic clock, in milliseconds. */
  dueAt: number;
  blockedUntil: number;
};

/** Permission to claim up to `limit` deliveries of a tenant. */
export type ClaimGrant = { tenantId: number; limit: number };

/**
 * Creates an adaptive concurrency limit and a circuit breaker for each tenant, so that a failing endpoint does
 * not slow down other tenants. Each success raises the limit of a tenant by one, and each failure halves it.
 * Endpoints that keep failing share a small fixed number of attempts per second, however many deliveries wait
 * for them.
 *
 * Only tenants with deliveries that are in flight, due or failing are kept in memory.
 *
 * @param now the monotonic clock in milliseconds
 */
export function createConcurrencyLimits(now: () => number = () => performance.now()) {
  const tenants = new Map<number, Tenant>();

  function tenantOf(tenantId: number): Tenant {
    let tenant = tenants.get(tenantId);
    if (!tenant) {
      tenant = {
        inFlight: 0,
        limit: initialLimit,
        failuresInRow: 0,
        dueAt: Number.POSITIVE_INFINITY,
        blockedUntil: 0,
      };
      tenants.set(tenantId, tenant);
    }
    return tenant;
  }

  return {
    /** Records that deliveries of this tenant are or will be due. */
    markDue(tenantId: number, inMs = 0): void {
      const tenant = tenantOf(tenantId);
      tenant.dueAt = Math.min(tenant.dueAt, now() + inMs);
    },

    /**
     * Grants claims of up to `maxTotal` deliveries, to the tenants whose last grant is the oldest first. Until
     * `recordClaim`, a granted tenant counts as having nothing due.
     */
    grantClaims(maxTotal: number): ClaimGrant[] {
      const nowMs = now();
      const grants: ClaimGrant[] = [];
      let left = maxTotal;
      for (const [tenantId, tenant] of [...tenants]) {
        const limit = Math.min(tenant.limit - tenant.inFlight, left);
        if (tenant.dueAt > nowMs || tenant.blockedUntil > nowMs || limit <= 0) continue;
        tenant.dueAt = Number.POSITIVE_INFINITY;
        left -= limit;
        grants.push({ tenantId, limit });
        tenants.delete(tenantId);
        tenants.set(tenantId, tenant);
      }
      return grants;
    },

    /** Records how many deliveries were claimed. If the grant was used up, more may be due. */
    recordClaim({ tenantId, limit }: ClaimGrant, count: number): void {
      const tenant = tenantOf(tenantId);
      tenant.inFlight += count;
      if (count >= limit) tenant.dueAt = now();
      else if (count === 0) forgetIfIdle(tenantId, tenant);
    },

    recordSuccess(tenantId: number): void {
      const tenant = tenantOf(tenantId);
      tenant.inFlight--;
      tenant.limit = Math.min(maxLimit, tenant.limit + 1);
      tenant.failuresInRow = 0;
      tenant.blockedUntil = 0;
      forgetIfIdle(tenantId, tenant);
    },

    recordFailure(tenantId: number): void {
      const tenant = tenantOf(tenantId);
      tenant.inFlight--;
      tenant.limit = Math.max(1, Math.floor(tenant.limit / 2));
      tenant.failuresInRow++;
      if (isBroken(tenant)) {
        tenant.blockedUntil = now() + (countBroken(tenant) * 1000) / probesPerSecond;
      }
    },

    /** Returns the time until `grantClaims` may grant something, unless a call changes it before. */
    msUntilDue(): number {
      let next = Number.POSITIVE_INFINITY;
      for (const tenant of tenants.values()) {
        if (tenant.inFlight < tenant.limit) {
          next = Math.min(next, Math.max(tenant.dueAt, tenant.blockedUntil));
        }
      }
      return Math.max(0, next - now());
    },
  };

  /** Counts the tenants that share the probes: this one, and others with an open breaker and work to do. */
  function countBroken(self: Tenant): number {
    let count = 1;
    for (const other of tenants.values()) {
      const isBusy = other.inFlight > 0 || other.dueAt < Number.POSITIVE_INFINITY;
      if (other !== self && isBusy && isBroken(other)) count++;
    }
    return count;
  }

  function forgetIfIdle(tenantId: number, tenant: Tenant): void {
    const isIdle = tenant.inFlight === 0 && tenant.dueAt === Number.POSITIVE_INFINITY;
    if (isIdle && tenant.failuresInRow === 0) tenants.delete(tenantId);
  }
}

function isBroken({ failuresInRow }: Tenant): boolean {
  return failuresInRow >= breakAfterFailures;
}
