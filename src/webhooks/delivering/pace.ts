/** Most deliveries of one tenant under way in one process. */
const mostAtOnce = 64;
const atOnceToBegin = 8;
/** From so many failures in a row on, an endpoint counts as sick. */
const sickAfter = 5;
/** The sick endpoints of a process share this many tries a second. */
const sickTriesPerSecond = 50;

type Tenant = {
  underWay: number;
  atOnce: number;
  failuresInRow: number;
  /** Moments on the monotonic clock, in milliseconds. */
  dueAt: number;
  restUntil: number;
};

/**
 * Which tenants this process should deliver for now, and how many deliveries of each. This is what
 * keeps a sick endpoint from slowing its neighbours: what is under way for a tenant is limited,
 * successes raise its limit, failures halve it down to one, and endpoints that only fail share a
 * small fixed number of tries a second, however much is waiting for them.
 *
 * It remembers only tenants with something under way, due, or gone wrong.
 *
 * @param now the monotonic clock in milliseconds
 */
export function createPace(now: () => number = () => performance.now()) {
  const tenants = new Map<number, Tenant>();

  function tenantOf(tenantId: number): Tenant {
    let tenant = tenants.get(tenantId);
    if (!tenant) {
      tenant = {
        underWay: 0,
        atOnce: atOnceToBegin,
        failuresInRow: 0,
        dueAt: Number.POSITIVE_INFINITY,
        restUntil: 0,
      };
      tenants.set(tenantId, tenant);
    }
    return tenant;
  }

  return {
    /** Something of this tenant is, or will be, due. */
    expect(tenantId: number, inMs = 0): void {
      const tenant = tenantOf(tenantId);
      tenant.dueAt = Math.min(tenant.dueAt, now() + inMs);
    },

    /**
     * Tenants to claim for, with how many at most of each and `most` in all; those asked for longest
     * ago come first. Until `claimed` they count as asked and empty.
     */
    ask(most: number): { tenantId: number; most: number }[] {
      const moment = now();
      const asked: { tenantId: number; most: number }[] = [];
      let left = most;
      for (const [tenantId, tenant] of [...tenants]) {
        const room = Math.min(tenant.atOnce - tenant.underWay, left);
        if (tenant.dueAt > moment || tenant.restUntil > moment || room <= 0) continue;
        tenant.dueAt = Number.POSITIVE_INFINITY;
        left -= room;
        asked.push({ tenantId, most: room });
        tenants.delete(tenantId);
        tenants.set(tenantId, tenant);
      }
      return asked;
    },

    /** So many were claimed of `most`; when it is all that was asked for, there may be more. */
    claimed(tenantId: number, count: number, most: number): void {
      const tenant = tenantOf(tenantId);
      tenant.underWay += count;
      if (count >= most) tenant.dueAt = now();
      else if (count === 0) forgetIfPlain(tenantId, tenant);
    },

    succeeded(tenantId: number): void {
      const tenant = tenantOf(tenantId);
      tenant.underWay--;
      tenant.atOnce = Math.min(mostAtOnce, tenant.atOnce + 1);
      tenant.failuresInRow = 0;
      tenant.restUntil = 0;
      forgetIfPlain(tenantId, tenant);
    },

    failed(tenantId: number): void {
      const tenant = tenantOf(tenantId);
      tenant.underWay--;
      tenant.atOnce = Math.max(1, Math.floor(tenant.atOnce / 2));
      tenant.failuresInRow++;
      if (tenant.failuresInRow >= sickAfter) {
        tenant.restUntil = now() + (countSick(tenant) * 1000) / sickTriesPerSecond;
      }
    },

    /** Until `ask` may have something new, unless something happens before. */
    msUntilDue(): number {
      let next = Number.POSITIVE_INFINITY;
      for (const tenant of tenants.values()) {
        if (tenant.underWay < tenant.atOnce) {
          next = Math.min(next, Math.max(tenant.dueAt, tenant.restUntil));
        }
      }
      return Math.max(0, next - now());
    },
  };

  /** This one and the others that take a share of the tries: sick, and with something to do. */
  function countSick(self: Tenant): number {
    let count = 1;
    for (const other of tenants.values()) {
      const busy = other.underWay > 0 || other.dueAt < Number.POSITIVE_INFINITY;
      if (other !== self && busy && other.failuresInRow >= sickAfter) count++;
    }
    return count;
  }

  function forgetIfPlain(tenantId: number, tenant: Tenant): void {
    const idle = tenant.underWay === 0 && tenant.dueAt === Number.POSITIVE_INFINITY;
    if (idle && tenant.failuresInRow === 0) tenants.delete(tenantId);
  }
}
