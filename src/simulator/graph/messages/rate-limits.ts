import type { SimulatedNumber } from '../../types.ts';

const pairBurst = 45;
const pairRefillMs = 6_000;
const maxPairs = 100_000;

type Bucket = {
  tokens: number;
  at: number;
};

export type RateLimits = {
  /** Counts a message and returns null, or returns the code of the limit that it would exceed. */
  check(number: SimulatedNumber, phone: string, now: number): 130429 | 131056 | null;
  /** Counts an inbound message against the number's throughput. It is never rejected. */
  countInbound(number: SimulatedNumber, now: number): void;
  reset(): void;
};

/** Creates the network's two token buckets: messages per second of a number, and messages to one phone. */
export function createRateLimits(): RateLimits {
  const throughput = new Map<string, Bucket>();
  const pairs = new Map<string, Bucket>();

  function throughputOf(number: SimulatedNumber, perSecond: number, now: number): Bucket {
    return refill(throughput, number.phone_number_id, perSecond, perSecond / 1000, now);
  }

  return {
    check(number, phone, now) {
      const { messages_per_second: perSecond, pair } = number.limits;
      const own = perSecond === null ? null : throughputOf(number, perSecond, now);
      if (own && own.tokens < 1) return 130429;
      if (pair) {
        if (pairs.size > maxPairs) deleteFull(pairs, now);
        const key = `${number.phone_number_id}:${phone}`;
        const bucket = refill(pairs, key, pairBurst, 1 / pairRefillMs, now);
        if (bucket.tokens < 1) return 131056;
        bucket.tokens -= 1;
      }
      if (own) own.tokens -= 1;
      return null;
    },
    countInbound(number, now) {
      const perSecond = number.limits.messages_per_second;
      if (perSecond !== null) throughputOf(number, perSecond, now).tokens -= 1;
    },
    reset() {
      throughput.clear();
      pairs.clear();
    },
  };
}

function refill(
  buckets: Map<string, Bucket>,
  key: string,
  size: number,
  perMs: number,
  now: number,
) {
  let bucket = buckets.get(key);
  if (!bucket) {
    bucket = { tokens: size, at: now };
    buckets.set(key, bucket);
    return bucket;
  }
  bucket.tokens = Math.min(size, bucket.tokens + (now - bucket.at) * perMs);
  bucket.at = now;
  return bucket;
}

function deleteFull(pairs: Map<string, Bucket>, now: number): void {
  for (const [key, bucket] of pairs) {
    if (now - bucket.at > pairBurst * pairRefillMs) pairs.delete(key);
  }
  // If all are in use, start over instead of growing without limit.
  if (pairs.size > maxPairs) pairs.clear();
}
