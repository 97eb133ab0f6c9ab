import { ApiError } from '../errors/api-error.ts';
import { fault } from '../errors/fault.ts';

const defaults = { maxBytes: 256 * 1024 * 1024, maxBytesPerClient: 32 * 1024 * 1024 };

export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * Counts the bytes of request bodies that are held in memory before their senders have proved who
 * they are: in this process together, and for each client network.
 */
export function createBodyBudget({ maxBytes, maxBytesPerClient } = defaults) {
  const byClient = new Map<string, number>();
  let held = 0;

  return {
    /** Why `bytes` more cannot be held for a client; undefined if they can. */
    refusal(client: string, bytes: number): ApiError | undefined {
      if ((byClient.get(client) ?? 0) + bytes > maxBytesPerClient) return tooManyOfClient();
      return held + bytes > maxBytes ? tooMany() : undefined;
    },

    /** Counts `bytes`, or gives them back if they are negative. */
    add(client: string, bytes: number): void {
      held += bytes;
      const left = (byClient.get(client) ?? 0) + bytes;
      if (left > 0) byClient.set(client, left);
      else byClient.delete(client);
    },
  };
}

function tooMany(): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'too_many_bodies',
      'Too many long bodies are arriving at the moment. Try again in a moment.',
    ),
    retryAfterSeconds: 5,
    passing: true,
  });
}

function tooManyOfClient(): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_bodies_of_address',
      'Too many long bodies are arriving from this address. Try again in a moment.',
    ),
    retryAfterSeconds: 5,
  });
}
