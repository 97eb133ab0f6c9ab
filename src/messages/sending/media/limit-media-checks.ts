import {
  createKeyedSemaphore,
  TooManyWaiting,
} from '../../../platform/concurrency/keyed-semaphore.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';

/** Per tenant. A check holds a connection, for up to ten seconds if the server is slow. */
const maxAtOnce = 10;
const maxWaiting = 1_000;
const maxWaitMs = 30_000;

/**
 * Limits how many files of one tenant are checked at the same time, so that slow or endless files of
 * one tenant do not slow down the sends of others. Further checks of the tenant wait in order; waiting costs
 * nothing, and most bursts end before the wait becomes long.
 *
 * @returns a function that runs a check of a tenant. It throws ApiError 429 if too many checks wait, or the
 *   check has waited for too long.
 */
export function createMediaCheckLimit(limits = { maxAtOnce, maxWaiting, maxWaitMs }) {
  const semaphore = createKeyedSemaphore(limits.maxAtOnce, limits.maxWaiting);

  return function limitChecks<Result>(
    tenantId: number,
    check: () => Promise<Result>,
  ): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(tooMany());
    }, limits.maxWaitMs);
    const checked = semaphore
      .withPermit(String(tenantId), async () => {
        clearTimeout(timer);
        if (isLate) throw tooMany();
        return check();
      })
      .catch((error) => {
        clearTimeout(timer);
        throw error instanceof TooManyWaiting ? tooMany(error) : error;
      });
    return Promise.race([checked, late]);
  };
}

function tooMany(cause?: unknown): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_media_checks',
      'Too many files of this tenant are being fetched at the moment. Send fewer different files at once, or try again in 10 s.',
    ),
    retryAfterSeconds: 10,
    passing: true,
    cause,
  });
}
