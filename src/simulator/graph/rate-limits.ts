import type { SimulatedNumber } from '../types.ts';

const pairBurst = 45;
const pairRefillMs = 6_000;
const pairsKept = 100_000;

interface Bucket {
  tokens: number;
  at: number;
}

export interface RateLimits {
  /** The code of the limit that a message would break, else null; a message let through counts. */
  refusal(number: SimulatedNumber, phone: string, now: number): 130429 | 131056 | null;
  /** An inbound message counts against the number's throughput too, and is never refused. */
  countInbound(number: SimulatedNumber, now: number): void;
  reset(): void;
}

/** The network's two rates: messages a second of a number, and messages to one phone. */
export function createRateLimits(): RateLimits {
  const throughput = new Map<string, Bucket>();
  const pairs = new Map<string, Bucket>();

  function throughputOf(number: SimulatedNumber, perSecond: number, now: number): Bucket {
    return refill(throughput, number.phone_number_id, perSecond, perSecond / 1000, now);
  }

  return {
    refusal(number, phone, now) {
      const { messages_per_second: perSecond, pair } = number.limits;
      const own = perSecond === null ? null : throughputOf(number, perSecond, now);
      if (own && own.tokens < 1) return 130429;
      if (pair) {
        if (pairs.size > pairsKept) dropFull(pairs, now);
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

function dropFull(pairs: Map<string, Bucket>, now: number): void {
  for (const [key, bucket] of pairs) {
    if (now - bucket.at > pairBurst * pairRefillMs) pairs.delete(key);
  }
  // All in use: begin again rather than grow without end.
  if (pairs.size > pairsKept) pairs.clear();
}
