import type { Database } from '../platform/database/database.ts';
import { createFairBatch } from '../platform/database/fair-batching.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import type { Caller } from '../tenants/api/find-caller.ts';
import { plans } from '../tenants/plans.ts';
import { countRequests } from './queries.ts';
import { type RequestCount, secondsOfDay, secondsOfMinute } from './token-counts.ts';

export type RequestCounter = ReturnType<typeof createRequestCounter>;

/** Creates a function that counts requests against their tokens' minutes, in batches. */
export function createRequestCounter({ db }: { db: Database }) {
  const count = createFairBatch<{ tenantId: number; tokenId: number }, RequestCount>({
    lanes: db.lanes.fair,
    run: (asked) => countRequests(db.fair, asked),
    maxSize: 500,
    tenantOf: ({ tenantId }) => tenantId,
  });

  /**
   * Counts a request once, however often it is called, and stores the count in `request.counted`.
   *
   * @throws ApiError 429 if the request exceeds the minute's limit of the plan
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

/** Throws 429 if the request exceeds the minute's limit of the plan. */
export function refuseOverMinute(caller: Caller, counted: RequestCount): void {
  const limit = plans[caller.plan].requestsPerMinute;
  if (counted.minute_used <= limit) return;
  const retryAfterSeconds = secondsOfMinute(counted);
  throw new ApiError('rate_limited', {
    message: fault(
      'minute_used_up',
      'This token may make {limit} requests per calendar minute. Try again in {seconds} s.',
      { limit: String(limit), seconds: String(retryAfterSeconds) },
    ),
    retryAfterSeconds,
  });
}

/** The 429 for a token that has used up its messages of the day. */
export function messageQuotaUsedUp(caller: Caller, counted: RequestCount): ApiError {
  const limit = plans[caller.plan].messagesPerDay ?? 0;
  return new ApiError('rate_limited', {
    message: fault('day_used_up', 'This token has sent its {limit} messages for today (UTC).', {
      limit,
    }),
    publicCode: 'quota_exceeded',
    retryAfterSeconds: secondsOfDay(counted),
  });
}

/** Builds the quota headers of an authenticated response; `isSend` adds those of the day. */
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
