import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { messageQuotaUsedUp, type RequestCounter } from '../../limits/count-request.ts';
import { type RequestCount, secondsOfMinute } from '../../limits/token-counts.ts';
import type { ConnectedNumber } from '../../numbers/find-number.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import { plans } from '../../tenants/plans.ts';
import type { NetworkClient } from '../../whatsapp/client.ts';

/** A send waits so long for its turn at the pace of its number; a burst beyond that is refused. */
const longestWaitMs = 2_000;

/** Has sends wait for their turns at the pace of their number, and refuses those that come too fast. */
export function createTurnTaker({
  network: { rateLimiter },
  countRequest,
}: {
  network: NetworkClient;
  countRequest: RequestCounter;
}) {
  /**
   * Tokens whose last send was over a limit. Their next one is counted before it takes a turn, so that a
   * program that goes on and on takes none from other tokens of the number; the count decides.
   */
  const spent = new Set<number>();

  /**
   * Counts a send before it is written down.
   *
   * @throws ApiError 429 when the minute or the day of the token is used up
   */
  async function refuseSpent(caller: Caller, request: Counted): Promise<RequestCount> {
    const { messagesPerDay } = plans[caller.plan];
    try {
      const counted = await countRequest(caller, request);
      if (messagesPerDay !== null && counted.day_used >= messagesPerDay) {
        throw messageQuotaUsedUp(caller, counted);
      }
      spent.delete(caller.tokenId);
      return counted;
    } catch (over) {
      spent.add(caller.tokenId);
      throw over;
    }
  }

  return {
    /**
     * Waits for the turn of a send. One that has to wait is counted here.
     *
     * @throws ApiError 429 over a limit of the token, and when the turn would not come soon
     */
    async takeTurn(
      caller: Caller,
      number: ConnectedNumber,
      phone: string,
      request: Counted,
    ): Promise<void> {
      if (spent.has(caller.tokenId)) await refuseSpent(caller, request);
      const turn = rateLimiter.reserve(number, phone, longestWaitMs);
      if ('refusedForSeconds' in turn) {
        const counted = await refuseSpent(caller, request);
        const isLast = counted.minute_used >= plans[caller.plan].requestsPerMinute;
        const resetSeconds = isLast ? secondsOfMinute(counted) : 0;
        throw tooFast(Math.max(turn.refusedForSeconds, resetSeconds));
      }
      if (turn.waitMs === 0) return;
      const turnComes = sleep(turn.waitMs);
      // Counted as it comes: else those that come later and are refused at once use up its minute.
      await refuseSpent(caller, request).catch((over) => {
        rateLimiter.release(number, phone);
        throw over;
      });
      await turnComes;
    },

    /** A send had its turn, and turned out to be over a limit of its token when it was written down. */
    giveBackTurn(caller: Caller, number: ConnectedNumber, phone: string): void {
      rateLimiter.release(number, phone);
      spent.add(caller.tokenId);
    },
  };
}

type Counted = Parameters<RequestCounter>[1];

/** Nothing is written down or counted against the day. */
function tooFast(seconds: number): ApiError {
  return new ApiError('rate_limited', {
    message: `This number has reached WhatsApp's rate limit, overall or for this recipient. Try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  });
}
