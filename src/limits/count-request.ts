import { ApiError } from '../errors.ts';
import { createBatch } from '../platform/database/batching.ts';
import type { Database } from '../platform/database/database.ts';
import type { Caller } from '../tenants/find-caller.ts';
import { plans } from './plans.ts';
import { countRequests } from './queries.ts';
import { type RequestCount, secondsOfDay, secondsOfMinute } from './token-counts.ts';

export type RequestCounter = ReturnType<typeof createRequestCounter>;

/** Counts requests against their tokens' minutes; those made together go as one statement. */
export function createRequestCounter({ db }: { db: Database }) {
  const count = createBatch<{ tenantId: number; tokenId: number }, RequestCount>({
    run: (asked) => countRequests(db.batched, asked),
    maxSize: 500,
  });

  /**
   * @param request is counted once, however often this is called: its place is in `counted` then
   * @throws ApiError 429 when it is beyond its plan's minute
   */
  return async function countRequest(
    caller: Caller,
    request: { counted: RequestCount | undefined },
  ): Promise<RequestCount> {
    if (request.counted) return request.counted;
    request.counted = await count({ tenantId: caller.tenantId, tokenId: caller.tokenId });
    refuseOverMinute(caller, request.counted);
    return request.counted;
  };
}

/** 429 when the request is beyond its plan's minute. */
export function refuseOverMinute(caller: Caller, counted: RequestCount): void {
  const limit = plans[caller.plan].requestsPerMinute;
  if (counted.minute_used <= limit) return;
  const retryAfterSeconds = secondsOfMinute(counted);
  throw new ApiError('rate_limited', {
    message: `This token may make ${limit} requests per calendar minute. Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  });
}

/** 429 when the token's messages of the day are used up. */
export function messageQuotaUsedUp(caller: Caller, counted: RequestCount): ApiError {
  const limit = plans[caller.plan].messagesPerDay?.toLocaleString('en');
  return new ApiError('rate_limited', {
    message: `This token has sent its ${limit} messages for today (UTC).`,
    retryAfterSeconds: secondsOfDay(counted),
  });
}

/** The quota headers of an authenticated answer; `isSend` adds those of the day. */
export function quotaHeaders(caller: Caller, counted: RequestCount, isSend: boolean) {
  const { requestsPerMinute, messagesPerDay } = plans[caller.plan];
  const headers: Record<string, string | number> = {
    'ratelimit-limit': requestsPerMinute,
    'ratelimit-remaining': Math.max(0, requestsPerMinute - counted.minute_used),
    'ratelimit-reset': secondsOfMinute(counted),
  };
  if (isSend) {
    headers['x-message-quota-limit'] = messagesPerDay ?? 'unlimited';
    headers['x-message-quota-remaining'] =
      messagesPerDay === null ? 'unlimited' : Math.max(0, messagesPerDay - counted.day_used);
    headers['x-message-quota-reset'] = secondsOfDay(counted);
  }
  return headers;
}
