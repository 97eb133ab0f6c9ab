import { setTimeout as sleep } from 'node:timers/promises';

/** The network's rate limit from one number to one phone (its documentation, November 2026). */
const pairEveryMs = 6_000;
/**
 * The network allows a burst of 45 to one phone, and of one second's messages in total. We stay
 * below both, because calls that left evenly may arrive in a bunch.
 */
const pairBurst = 44;
const burstSeconds = 0.8;
/**
 * The furthest that other traffic (inbound messages, rate limit refusals) moves a number ahead: its
 * burst is used up and the next message waits a second, but messages that arrive in the meantime
 * can still be sent within the two seconds that they may wait.
 */
const maxAheadMs = (burstSeconds + 1) * 1_000;
const maxPairs = 100_000;

export type Reservation = { waitMs: number } | { refusedForSeconds: number };

/**
 * A number whose sends are limited. Any tenant can claim any phone number id, so the limit is per
 * tenant and number: otherwise one tenant could use up the rate of another.
 */
export type LimitedNumber = {
  tenantId: number;
  phoneNumberId: string;
  /** The number's throughput at the network; null or absent for the default. */
  messagesPerSecond?: number | null;
};

/**
 * Creates the rate limiter in front of the network, which delays the messages of a burst so that
 * the network does not refuse them. Each number has its throughput, and each phone that it sends to
 * a slower rate of its own.
 *
 * The algorithm is GCRA (generic cell rate algorithm): for each number and each pair of number and
 * phone it stores the theoretical arrival time of the next message. Each message moves this time
 * ahead by the interval of the rate, and waits if it is further ahead of the clock than the burst
 * allows.
 *
 * The state is in memory. Several processes on one machine share the rates evenly. Services on
 * several machines do not know about each other, so there the network's refusals are the limit.
 *
 * @param messagesPerSecond of a number whose own rate is not known; 0 disables the limiter
 * @param processes how many processes share the rates
 */
export function createRateLimiter({
  messagesPerSecond: defaultPerSecond,
  processes,
}: {
  messagesPerSecond: number;
  processes: number;
}) {
  // Theoretical arrival times by number and by pair, on the monotonic clock.
  const numbers = new Map<string, number>();
  const pairs = new Map<string, number>();

  const rateOf = (perSecond: number | null | undefined) =>
    (perSecond ?? defaultPerSecond) / processes;

  /**
   * Frees memory: a pair whose time has passed has its whole burst available, as if it were
   * unknown.
   */
  function dropIdlePairs(now: number) {
    for (const [key, next] of pairs) if (next <= now) pairs.delete(key);
    if (pairs.size > maxPairs) pairs.clear();
  }

  function moveAhead(number: LimitedNumber, byMs: number) {
    const key = keyOf(number);
    const now = performance.now();
    const next = Math.max(numbers.get(key) ?? 0, now);
    numbers.set(key, Math.max(next, Math.min(next + byMs, now + maxAheadMs)));
  }

  function reserve(number: LimitedNumber, phone: string, maxWaitMs: number): Reservation {
    if (defaultPerSecond === 0) return { waitMs: 0 };
    const now = performance.now();
    const everyMs = 1_000 / rateOf(number.messagesPerSecond);
    const key = keyOf(number);
    const pairKey = `${key} ${phone}`;
    const pairMs = pairEveryMs * processes;
    const next = Math.max(numbers.get(key) ?? 0, now);
    const nextOfPair = Math.max(pairs.get(pairKey) ?? 0, now);
    const waitMs = Math.max(
      0,
      next - burstSeconds * 1_000 - now,
      nextOfPair - (Math.max(1, Math.floor(pairBurst / processes)) - 1) * pairMs - now,
    );
    if (waitMs > maxWaitMs) return { refusedForSeconds: Math.ceil(waitMs / 1_000) };
    numbers.set(key, next + everyMs);
    pairs.set(pairKey, nextOfPair + pairMs);
    if (pairs.size > maxPairs) dropIdlePairs(now);
    return { waitMs };
  }

  return {
    /**
     * Reserves a place in the rate for a message, which is to be sent after `waitMs`.
     *
     * @param maxWaitMs if the wait would be longer, nothing is reserved
     */
    reserve,

    /** Reserves a place for a message, and waits until it may be sent. */
    async acquire(number: LimitedNumber, phone: string, maxWaitMs: number): Promise<Reservation> {
      const reservation = reserve(number, phone, maxWaitMs);
      if ('waitMs' in reservation && reservation.waitMs > 0) await sleep(reservation.waitMs);
      return reservation;
    },

    /** Returns the reservation of a message that is not sent after all. */
    release(number: LimitedNumber, phone: string): void {
      const key = keyOf(number);
      const pairKey = `${key} ${phone}`;
      const next = numbers.get(key);
      const nextOfPair = pairs.get(pairKey);
      if (next !== undefined) numbers.set(key, next - 1_000 / rateOf(number.messagesPerSecond));
      if (nextOfPair !== undefined) pairs.set(pairKey, nextOfPair - pairEveryMs * processes);
    },

    /** Counts inbound messages, which use a number's throughput too. */
    countInbound(number: LimitedNumber, messages: number): void {
      if (defaultPerSecond === 0) return;
      moveAhead(number, (messages * 1_000) / rateOf(number.messagesPerSecond));
    },

    /**
     * Marks the burst as used up after a rate limit refusal, which means that others use the number
     * too.
     */
    exhaustBurst(number: LimitedNumber): void {
      moveAhead(number, maxAheadMs);
    },
  };
}

function keyOf({ tenantId, phoneNumberId }: LimitedNumber): string {
  return `${tenantId} ${phoneNumberId}`;
}
