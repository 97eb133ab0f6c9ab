import { setTimeout as sleep } from 'node:timers/promises';
import { messageQuotaUsedUp, type RequestCounter } from '../../limits/count-request.ts';
import { type RequestCount, secondsOfMinute, tokenKey } from '../../limits/token-counts.ts';
import type { ConnectedNumber } from '../../numbers/find-number.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Caller } from '../../tenants/api/find-caller.ts';
import { plans } from '../../tenants/plans.ts';
import type { NetworkClient, SendOutcome } from '../../whatsapp/client.ts';
import { overRateLimit } from '../../whatsapp/errors.ts';

/** The longest wait for the number's rate limit. A burst that would wait longer is refused. */
const maxWaitMs = 2_000;

/** Delays sends to the rate limit of their number, and refuses those that would wait too long. */
export function createSendLimiter({
  network: { rateLimiter },
  countRequest,
}: {
  network: NetworkClient;
  countRequest: RequestCounter;
}) {
  /**
   * Tokens whose last send was over a limit. Their next send is counted before it takes a reservation, so that a
   * client that keeps retrying cannot use up the number's rate for other tokens.
   */
  const tokensOverLimit = new Set<string>();

  /**
   * Counts a send before it is stored.
   *
   * @throws ApiError 429 if the minute or the day of the token is used up
   */
  async function countSend(caller: Caller, request: Counted): Promise<RequestCount> {
    const { messagesPerDay } = plans[caller.plan];
    try {
      const counted = await countRequest(caller, request);
      if (messagesPerDay !== null && counted.day_used >= messagesPerDay) {
        throw messageQuotaUsedUp(caller, counted);
      }
      tokensOverLimit.delete(tokenKey(caller));
      return counted;
    } catch (error) {
      tokensOverLimit.add(tokenKey(caller));
      throw error;
    }
  }

  return {
    /**
     * Waits until the number's rate limit allows the send. A send that has to wait is counted here.
     *
     * @throws ApiError 429 over a limit of the token, and if the wait would be too long
     */
    async waitForRateLimit(
      caller: Caller,
      number: ConnectedNumber,
      phone: string,
      request: Counted,
    ): Promise<void> {
      if (tokensOverLimit.has(tokenKey(caller))) await countSend(caller, request);
      const reservation = await rateLimiter.reserve(number, phone, maxWaitMs);
      if ('refusedForSeconds' in reservation) {
        const counted = await countSend(caller, request);
        const isLast = counted.minute_used >= plans[caller.plan].requestsPerMinute;
        const resetSeconds = isLast ? secondsOfMinute(counted) : 0;
        throw tooFast(Math.max(reservation.refusedForSeconds, resetSeconds));
      }
      if (reservation.waitMs === 0) return;
      const waited = sleep(reservation.waitMs);
      // Counted before the wait. Otherwise later sends that are refused immediately would use up the minute.
      await countSend(caller, request).catch((error) => {
        rateLimiter.release(number, phone);
        throw error;
      });
      await waited;
    },

    /**
     * Waits until the number's rate limit allows a send that is stored already.
     *
     * @returns the outcome of a send that would wait too long; it fails
     */
    async reserveStored(number: ConnectedNumber, phone: string): Promise<SendOutcome | undefined> {
      const reservation = await rateLimiter.acquire(number, phone, maxWaitMs);
      if (!('refusedForSeconds' in reservation)) return undefined;
      return { outcome: 'refused', error: overRateLimit };
    },

    /**
     * Returns the reservation of a send that was not stored, because its token is over a limit.
     *
     * @param number undefined if the send had no reservation yet
     */
    returnReservation(caller: Caller, number: ConnectedNumber | undefined, phone: string): void {
      if (number) rateLimiter.release(number, phone);
      tokensOverLimit.add(tokenKey(caller));
    },
  };
}

type Counted = Parameters<RequestCounter>[1];

/** 429: nothing is stored or counted against the day. */
function tooFast(seconds: number): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'number_too_fast',
      "This number has reached WhatsApp's rate limit, overall or for this recipient. Try again in {seconds} s.",
      { seconds: String(seconds) },
    ),
    retryAfterSeconds: seconds,
  });
}
