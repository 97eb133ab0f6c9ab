import { setTimeout as sleep } from 'node:timers/promises';
import { type MoveRate, RatePosition } from './rate-position.ts';

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
const maxIdle = 50_000;
/**
 * How many messages a process sends before it asks the database what the others have sent: a tenth of a second's
 * messages of a number, and a few to one phone.
 */
const allowanceSeconds = 0.1;
const allowanceOfPair = 6;

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
 * phone there is the theoretical arrival time of the next message. Each message moves this time
 * ahead by the interval of the rate, and waits if it is further ahead of the clock than the burst
 * allows.
 *
 * All processes of all machines share the rates (`rate-position.ts`).
 *
 * @param messagesPerSecond of a number whose own rate is not known; 0 disables the limiter
 * @param moveRate moves a position that all processes share
 */
export function createRateLimiter({
  messagesPerSecond: defaultPerSecond,
  moveRate,
}: {
  messagesPerSecond: number;
  moveRate: MoveRate;
}) {
  const positions = new Map<string, RatePosition>();
  let dropAt = maxIdle;

  /** Frees memory. */
  function dropIdle(): void {
    for (const [key, position] of positions) if (position.isIdle()) positions.delete(key);
    dropAt = positions.size + maxIdle;
  }

  function positionOf(
    tenantId: number,
    limited: string,
    everyMs: number,
    allowance: number,
  ): RatePosition {
    // A number whose throughput was raised has a new position; the one in the database is the same.
    const key = `${tenantId} ${everyMs} ${limited}`;
    const known = positions.get(key);
    if (known) return known;
    const created = new RatePosition({ tenantId, limited, everyMs, allowance }, moveRate);
    positions.set(key, created);
    if (positions.size > dropAt) dropIdle();
    return created;
  }

  function ofNumber({ tenantId, phoneNumberId, messagesPerSecond }: LimitedNumber): RatePosition {
    const perSecond = messagesPerSecond ?? defaultPerSecond;
    const allowance = Math.max(1, perSecond * allowanceSeconds);
    return positionOf(tenantId, phoneNumberId, 1_000 / perSecond, allowance);
  }

  function ofPair({ tenantId, phoneNumberId }: LimitedNumber, phone: string): RatePosition {
    return positionOf(tenantId, `${phoneNumberId} ${phone}`, pairEveryMs, allowanceOfPair);
  }

  async function reserve(
    number: LimitedNumber,
    phone: string,
    maxWaitMs: number,
  ): Promise<Reservation> {
    if (defaultPerSecond === 0) return { waitMs: 0 };
    const own = ofNumber(number);
    const pair = ofPair(number, phone);
    const waitMs = waitUntil(own.nextAt(), pair.nextAt());
    if (waitMs > maxWaitMs) {
      // Those before it get their response first, because callers count requests in this order.
      await Promise.all([own.settled(), pair.settled()]);
      return refusalOf(waitMs);
    }
    if (!own.mustAsk() && !pair.mustAsk()) return { waitMs: waitUntil(own.take(), pair.take()) };
    // Only the database knows what other processes send.
    const askedWaitMs = waitUntil(...(await Promise.all([own.takeAsked(), pair.takeAsked()])));
    if (askedWaitMs <= maxWaitMs) return { waitMs: askedWaitMs };
    own.release();
    pair.release();
    return refusalOf(askedWaitMs);
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
      const reservation = await reserve(number, phone, maxWaitMs);
      if ('waitMs' in reservation && reservation.waitMs > 0) await sleep(reservation.waitMs);
      return reservation;
    },

    /** Returns the reservation of a message that is not sent after all. */
    release(number: LimitedNumber, phone: string): void {
      if (defaultPerSecond === 0) return;
      ofNumber(number).release();
      ofPair(number, phone).release();
    },

    /** Counts inbound messages, which use a number's throughput too. */
    countInbound(number: LimitedNumber, messages: number): void {
      if (defaultPerSecond === 0) return;
      const perSecond = number.messagesPerSecond ?? defaultPerSecond;
      ofNumber(number).moveAhead((messages * 1_000) / perSecond, maxAheadMs);
    },

    /**
     * Marks the burst as used up after a rate limit refusal, which means that others use the number
     * too.
     */
    exhaustBurst(number: LimitedNumber): void {
      if (defaultPerSecond === 0) return;
      ofNumber(number).moveAhead(maxAheadMs, maxAheadMs);
    },
  };
}

/** Returns how long a message waits, from its position in the rates of its number and of its pair. */
function waitUntil(ofNumber: number, ofPair: number): number {
  const burstMs = burstSeconds * 1_000;
  const at = Math.max(ofNumber - burstMs, ofPair - (pairBurst - 1) * pairEveryMs);
  return Math.max(0, at - performance.now());
}

function refusalOf(waitMs: number): Reservation {
  return { refusedForSeconds: Math.ceil(waitMs / 1_000) };
}
