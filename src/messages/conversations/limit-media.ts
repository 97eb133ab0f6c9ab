import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors.ts';
import { createKeyedSemaphore } from '../../platform/keyed-semaphore.ts';

/** A browser opens six connections to a host, so this is somebody with two of them. */
const maxOfMember = 16;
const maxOfTenant = 64;

/**
 * Limits the files of messages that are sent at once: each holds a connection of its reader and one
 * to the network or to the address of the file.
 *
 * @returns runs `open` if the member and the tenant have room. Its place is free again once the reader
 *   is gone and `open` has ended, with an error or with a body that ends with its reader
 * @throws ApiError 429
 */
export function createMediaLimit() {
  const ofMember = createKeyedSemaphore<string>(maxOfMember);
  const ofTenant = createKeyedSemaphore<number>(maxOfTenant);

  return async function limited<Result>(
    { tenantId, userId }: { tenantId: number; userId: string },
    { raw }: FastifyReply,
    open: () => Promise<Result>,
  ): Promise<Result> {
    const leaveMember = ofMember.tryAcquire(`${tenantId} ${userId}`);
    if (!leaveMember) throw tooMany('You have');
    const leaveTenant = ofTenant.tryAcquire(tenantId);
    if (!leaveTenant) {
      leaveMember();
      throw tooMany('This tenant has');
    }
    const gone = new Promise<void>((resolve) => raw.once('close', resolve));
    const opening = open();
    void Promise.allSettled([gone, opening]).then(() => {
      leaveMember();
      leaveTenant();
    });
    return opening;
  };
}

function tooMany(who: string): ApiError {
  return new ApiError('rate_limited', {
    message: `${who} too many files of conversations open at once. Wait until some are loaded.`,
    retryAfterSeconds: 5,
  });
}
