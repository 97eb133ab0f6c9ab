/** Most events of one tenant under way in a process. */
const mostAtOnce = 8;
/** So many events of a tenant are taken up at once after a pause; a flood comes in at the rate. */
const burst = 10;
/** A post of so many bytes counts as one event, a longer one as more: reading it takes longer. */
const bytesAnEvent = 20_000;
/** A flood is taken up in groups of so many seconds' worth: a group costs little more than one event. */
const groupSeconds = 0.2;

type Tenant = {
  underWay: number;
  isDue: boolean;
  /** Events that may be taken up now, as of `at`. */
  allowed: number;
  at: number;
};

/**
 * Whose events this process should take up now, and how many. A flood of one tenant is worked off
 * at a steady rate: it waits for itself, and leaves the machine to the others.
 *
 * It remembers only tenants that have something due or under way, or had a moment ago.
 *
 * @param perSecond most events of one tenant
 * @param now the monotonic clock in milliseconds
 */
export function createTurns(perSecond: number, now: () => number = () => performance.now()) {
  const tenants = new Map<number, Tenant>();
  const group = Math.min(mostAtOnce, Math.max(1, Math.floor(perSecond * groupSeconds)));

  function tenantOf(tenantId: number): Tenant {
    const moment = now();
    const known = tenants.get(tenantId);
    const tenant = known ?? { underWay: 0, isDue: false, allowed: burst, at: moment };
    if (!known) tenants.set(tenantId, tenant);
    const earned = ((moment - tenant.at) / 1000) * perSecond;
    tenant.allowed = Math.min(burst, tenant.allowed + earned);
    tenant.at = moment;
    return tenant;
  }

  function mostOf({ underWay, allowed }: Tenant): number {
    return allowed < group ? 0 : Math.min(mostAtOnce - underWay, Math.floor(allowed));
  }

  return {
    /** Something of this tenant is due. */
    expect(tenantId: number): void {
      tenantOf(tenantId).isDue = true;
    },

    /** Tenants to claim for, with how many at most; those claimed for longest ago come first. */
    ask(): { tenantId: number; most: number }[] {
      const asked: { tenantId: number; most: number }[] = [];
      for (const tenantId of [...tenants.keys()]) {
        const tenant = tenantOf(tenantId);
        if (!tenant.isDue) {
          if (tenant.underWay === 0 && tenant.allowed >= burst) tenants.delete(tenantId);
          continue;
        }
        const most = mostOf(tenant);
        if (most > 0) asked.push({ tenantId, most });
      }
      return asked;
    },

    /** Posts of these lengths were claimed; when there are `most`, as was asked for, there may be more. */
    claimed(tenantId: number, bytes: number[], most: number): void {
      const tenant = tenantOf(tenantId);
      tenant.underWay += bytes.length;
      for (const each of bytes) tenant.allowed -= Math.max(1, each / bytesAnEvent);
      tenant.isDue = bytes.length >= most;
      tenants.delete(tenantId);
      tenants.set(tenantId, tenant);
    },

    finished(tenantId: number): void {
      tenantOf(tenantId).underWay--;
    },

    /** Until `ask` may have something, unless something is expected or finished before. */
    msUntilNext(): number {
      let next = Number.POSITIVE_INFINITY;
      for (const tenantId of tenants.keys()) {
        const tenant = tenantOf(tenantId);
        if (!tenant.isDue || tenant.underWay >= mostAtOnce) continue;
        next = Math.min(next, Math.max(0, ((group - tenant.allowed) / perSecond) * 1000));
      }
      return next;
    },
  };
}
