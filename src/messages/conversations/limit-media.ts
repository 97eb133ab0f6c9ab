import type { FastifyReply } from 'fastify';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';

/** A browser opens six connections to a host, so this allows two browsers. */
const maxPerMember = 16;
const maxPerTenant = 64;

/**
 * Limits concurrent downloads of message files. Each uses a connection to the browser and one to the
 * network or the file's server.
 *
 * @returns runs `open` if neither the member nor the tenant is at the limit. The permits are released when
 *   the connection has closed and `open` has settled
 * @throws ApiError 429
 */
export function createMediaLimit() {
  const ofMember = createKeyedSemaphore<string>(maxPerMember);
  const ofTenant = createKeyedSemaphore<number>(maxPerTenant);

  return async function limited<Result>(
    { tenantId, userId }: { tenantId: number; userId: string },
    { raw }: FastifyReply,
    open: () => Promise<Result>,
  ): Promise<Result> {
    const leaveMember = ofMember.tryAcquire(`${tenantId} ${userId}`);
    if (!leaveMember) throw tooMany('You have', 'you');
    const leaveTenant = ofTenant.tryAcquire(tenantId);
    if (!leaveTenant) {
      leaveMember();
      throw tooMany('This tenant has', 'tenant');
    }
    const closed = new Promise<void>((resolve) => raw.once('close', resolve));
    const opening = open();
    void Promise.allSettled([closed, opening]).then(() => {
      leaveMember();
      leaveTenant();
    });
    return opening;
  };
}

function tooMany(subject: string, of: 'you' | 'tenant'): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_files',
      `${subject} too many conversation files open at once. Wait until some have loaded.`,
      { of },
    ),
    retryAfterSeconds: 5,
  });
}
