/** Concurrent events of one tenant in a process. */
const maxInFlight = 8;
/** The capacity of a bucket: the number of a tenant's events that are processed immediately after a pause. */
const capacity = 10;
/** A post of up to this many bytes costs one token. A longer one costs more, because it takes longer to read. */
const bytesPerToken = 20_000;
/** Events of a busy tenant are claimed once in this many seconds, because a group costs little more than one event. */
const groupSeconds = 0.2;

type Bucket = {
  inFlight: number;
  isDue: boolean;
  /** Tokens at the time `refilledAt`. */
  tokens: number;
  refilledAt: number;
};

/** Permission to claim up to `limit` events of a tenant. */
export type EventGrant = { tenantId: number; limit: number };

/**
 * Creates a token bucket for each tenant, which limits the rate of its events, so that a flood of one tenant does
 * not slow down the others. Only tenants with due or recent events are kept in memory.
 *
 * @param perSecond the rate of each tenant
 * @param now the monotonic clock in milliseconds
 */
export function createEventRateLimits(
  perSecond: number,
  now: () => number = () => performance.now(),
) {
  const buckets = new Map<number, Bucket>();
  const group = Math.min(maxInFlight, Math.max(1, Math.floor(perSecond * groupSeconds)));

  function bucketOf(tenantId: number): Bucket {
    const nowMs = now();
    const known = buckets.get(tenantId);
    const bucket = known ?? { inFlight: 0, isDue: false, tokens: capacity, refilledAt: nowMs };
    if (!known) buckets.set(tenantId, bucket);
    const earned = ((nowMs - bucket.refilledAt) / 1000) * perSecond;
    bucket.tokens = Math.min(capacity, bucket.tokens + earned);
    bucket.refilledAt = nowMs;
    return bucket;
  }

  function limitOf({ inFlight, tokens }: Bucket): number {
    return tokens < group ? 0 : Math.min(maxInFlight - inFlight, Math.floor(tokens));
  }

  return {
    /** Records that events of this tenant are due. */
    markDue(tenantId: number): void {
      bucketOf(tenantId).isDue = true;
    },

    /**
     * Grants claims of up to `room` events to the tenants with due events, the one whose last claim is the oldest
     * first.
     */
    grantClaims(room: number): EventGrant[] {
      const grants: EventGrant[] = [];
      let left = room;
      for (const tenantId of [...buckets.keys()]) {
        const bucket = bucketOf(tenantId);
        if (!bucket.isDue) {
          if (bucket.inFlight === 0 && bucket.tokens >= capacity) buckets.delete(tenantId);
          continue;
        }
        const limit = Math.min(limitOf(bucket), left);
        if (limit <= 0) continue;
        left -= limit;
        grants.push({ tenantId, limit });
      }
      return grants;
    },

    /** Records the lengths of the claimed posts. If the grant was used up, more may be due. */
    recordClaim({ tenantId, limit }: EventGrant, bytes: number[]): void {
      const bucket = bucketOf(tenantId);
      bucket.inFlight += bytes.length;
      for (const each of bytes) bucket.tokens -= Math.max(1, each / bytesPerToken);
      bucket.isDue = bytes.length >= limit;
      buckets.delete(tenantId);
      buckets.set(tenantId, bucket);
    },

    recordFinished(tenantId: number): void {
      bucketOf(tenantId).inFlight--;
    },

    /** Returns the time until `grantClaims` may grant something, unless a call changes it before. */
    msUntilDue(): number {
      let next = Number.POSITIVE_INFINITY;
      for (const tenantId of buckets.keys()) {
        const bucket = bucketOf(tenantId);
        if (!bucket.isDue || bucket.inFlight >= maxInFlight) continue;
        next = Math.min(next, Math.max(0, ((group - bucket.tokens) / perSecond) * 1000));
      }
      return next;
    },
  };
}
