import { addTo } from '../../platform/concurrency/counts.ts';

/** The highest limit of concurrent deliveries to one endpoint in one process. */
const maxLimit = 64;
const initialLimit = 8;
/**
 * The highest number of concurrent deliveries to all endpoints of a tenant in one process, so that many slow ones
 * leave room for other tenants. A process has room for 1,000.
 */
const maxOfTenant = 200;
/** After this many failures in a row, the circuit breaker of an endpoint opens. */
const breakAfterFailures = 5;
/** The endpoints of a process whose circuit breakers are open share this many attempts per second. */
const probesPerSecond = 50;
/**
 * How far a claim goes back behind the last one. Transactions that recorded deliveries end in another order than
 * they began, and what takes longer is found by the sweep.
 */
const overlapMs = 10_000;

type State = {
  inFlight: number;
  limit: number;
  failuresInRow: number;
  /** Times of the monotonic clock, in milliseconds. */
  dueAt: number;
  blockedUntil: number;
  /** When the last delivery was due that was claimed, by the clock of the database. */
  lastDueAt: Date | undefined;
  /** Whether the next claim looks for deliveries that earlier ones passed over. */
  isFromStart: boolean;
};

/**
 * Permission to claim up to `limit` deliveries of an endpoint.
 *
 * `dueFrom`: where the claim begins to read the queue; undefined for its beginning. While a transaction is open for long,
 * such as that of a backup, the beginning is full of entries of deliveries that were made.
 */
export type ClaimGrant = { endpoint: string; limit: number; dueFrom?: Date };

export type ConcurrencyLimits = ReturnType<typeof createConcurrencyLimits>;

/**
 * Creates an adaptive concurrency limit and a circuit breaker for each endpoint, so that a failing one does not
 * slow down others. Each success raises the limit of an endpoint by one, and each failure halves it. Endpoints
 * that keep failing share a small fixed number of attempts per second, however many deliveries wait for them.
 *
 * Only endpoints with deliveries since the last sweep, or with waiting ones, are kept in memory, by their key
 * (`endpointKey`).
 *
 * @param now the monotonic clock in milliseconds
 */
export function createConcurrencyLimits(now: () => number = () => performance.now()) {
  const endpoints = new Map<string, State>();
  /** Deliveries in flight of each tenant that has any. */
  const inFlightOf = new Map<string, number>();

  /** @param granted what was granted to the tenant's endpoints and is not in flight yet */
  function roomOf(endpoint: string, state: State, granted = 0): number {
    const inFlight = inFlightOf.get(tenantOf(endpoint)) ?? 0;
    return Math.min(state.limit - state.inFlight, maxOfTenant - inFlight - granted);
  }

  function addInFlight(endpoint: string, state: State, change: number): void {
    state.inFlight += change;
    addTo(inFlightOf, tenantOf(endpoint), change);
  }

  function stateOf(endpoint: string): State {
    let state = endpoints.get(endpoint);
    if (!state) {
      state = {
        inFlight: 0,
        limit: initialLimit,
        failuresInRow: 0,
        dueAt: Number.POSITIVE_INFINITY,
        blockedUntil: 0,
        lastDueAt: undefined,
        isFromStart: false,
      };
      endpoints.set(endpoint, state);
    }
    return state;
  }

  return {
    /** Records that deliveries of this endpoint are or will be due. */
    markDue(endpoint: string, inMs = 0): void {
      const state = stateOf(endpoint);
      state.dueAt = Math.min(state.dueAt, now() + inMs);
    },

    /** Records that a sweep found that the endpoint's first delivery is due, or will be. */
    markFound(endpoint: string, inMs: number): void {
      this.markDue(endpoint, inMs);
      stateOf(endpoint).isFromStart = true;
    },

    /**
     * Grants claims of up to `maxTotal` deliveries, to the endpoints whose last grant is the oldest first. Until
     * `recordClaim`, a granted endpoint counts as having nothing due.
     */
    grantClaims(maxTotal: number): ClaimGrant[] {
      const nowMs = now();
      const grants: ClaimGrant[] = [];
      const granted = new Map<string, number>();
      let left = maxTotal;
      for (const [endpoint, state] of [...endpoints]) {
        const tenant = tenantOf(endpoint);
        const ofTenant = granted.get(tenant) ?? 0;
        const limit = Math.min(roomOf(endpoint, state, ofTenant), left);
        if (state.dueAt > nowMs || state.blockedUntil > nowMs || limit <= 0) continue;
        state.dueAt = Number.POSITIVE_INFINITY;
        left -= limit;
        granted.set(tenant, ofTenant + limit);
        const dueFrom = state.isFromStart ? undefined : before(state.lastDueAt, overlapMs);
        state.isFromStart = false;
        grants.push({ endpoint, limit, dueFrom });
        endpoints.delete(endpoint);
        endpoints.set(endpoint, state);
      }
      return grants;
    },

    /**
     * Records how many deliveries were claimed, and when the last of them was due. If the grant was used up, more may
     * be due.
     */
    recordClaim({ endpoint, limit }: ClaimGrant, count: number, lastDueAt?: Date): void {
      const state = stateOf(endpoint);
      addInFlight(endpoint, state, count);
      state.lastDueAt = lastDueAt ?? state.lastDueAt;
      if (count >= limit) state.dueAt = now();
    },

    recordSuccess(endpoint: string): void {
      const state = stateOf(endpoint);
      addInFlight(endpoint, state, -1);
      state.limit = Math.min(maxLimit, state.limit + 1);
      state.failuresInRow = 0;
      state.blockedUntil = 0;
    },

    recordFailure(endpoint: string): void {
      const state = stateOf(endpoint);
      addInFlight(endpoint, state, -1);
      state.limit = Math.max(1, Math.floor(state.limit / 2));
      state.failuresInRow++;
      if (isBroken(state)) {
        state.blockedUntil = now() + (countBroken(state) * 1000) / probesPerSecond;
      }
    },

    /** Forgets the endpoints that have nothing waiting, which may have been removed. */
    forgetOthers(waiting: ReadonlySet<string>): void {
      for (const [endpoint, state] of endpoints) {
        if (!waiting.has(endpoint) && isIdle(state)) endpoints.delete(endpoint);
      }
    },

    /** Returns the time until `grantClaims` may grant something, unless a call changes it before. */
    msUntilDue(): number {
      let next = Number.POSITIVE_INFINITY;
      for (const [endpoint, state] of endpoints) {
        if (roomOf(endpoint, state) > 0) {
          next = Math.min(next, Math.max(state.dueAt, state.blockedUntil));
        }
      }
      return Math.max(0, next - now());
    },
  };

  /** Counts the endpoints that share the probes: this one, and others with an open breaker and work to do. */
  function countBroken(self: State): number {
    let count = 1;
    for (const other of endpoints.values()) {
      const isBusy = other.inFlight > 0 || other.dueAt < Number.POSITIVE_INFINITY;
      if (other !== self && isBusy && isBroken(other)) count++;
    }
    return count;
  }
}

function tenantOf(endpoint: string): string {
  return endpoint.split('/', 1)[0]!;
}

function before(time: Date | undefined, ms: number): Date | undefined {
  return time && new Date(time.getTime() - ms);
}

function isIdle({ inFlight, dueAt }: State): boolean {
  return inFlight === 0 && dueAt === Number.POSITIVE_INFINITY;
}

function isBroken({ failuresInRow }: State): boolean {
  return failuresInRow >= breakAfterFailures;
}
