import type { FastifyReply } from 'fastify';
import {
  createKeyedSemaphore,
  TooManyWaiting,
} from '../../../platform/concurrency/keyed-semaphore.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';

const maxPerMember = 16;
const maxPerTenant = 64;
/** Over HTTP/2, a browser requests all files of a conversation at once, 50 for each page of its messages. */
const maxWaiting = 200;

/**
 * Limits concurrent downloads of message files. Each uses a connection to the browser and one to the network or the
 * file's server. Further ones wait for their turn.
 *
 * @returns runs `open` with a permit of the member and one of the tenant, which are released when the connection has
 *   closed and `open` has settled. Resolves to undefined if the client has disconnected meanwhile
 * @throws ApiError 429 if too many wait already
 */
export function createMediaLimit() {
  const ofMember = createKeyedSemaphore<string>(maxPerMember, maxWaiting);
  const ofTenant = createKeyedSemaphore<number>(maxPerTenant);

  return function limited<Result>(
    { tenantId, userId }: { tenantId: number; userId: string },
    { raw }: FastifyReply,
    open: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const closed = new Promise<void>((resolve) => raw.once('close', resolve));
    return new Promise((resolve, reject) => {
      const hold = async () => {
        const opening = raw.destroyed ? undefined : open();
        resolve(opening);
        await Promise.allSettled([closed, opening]);
      };
      ofMember
        .withPermit(`${tenantId} ${userId}`, () => ofTenant.withPermit(tenantId, hold))
        .catch((error) => reject(error instanceof TooManyWaiting ? tooMany(error) : error));
    });
  };
}

function tooMany(cause: Error): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_files',
      'You have too many conversation files open at once. Wait until some have loaded.',
    ),
    retryAfterSeconds: 5,
    cause,
  });
}
