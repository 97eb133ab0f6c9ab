import { ApiError } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import { clientNetwork } from '../platform/networks.ts';

/** So many failures at once, then one a second. */
const burst = 300;
const everyMs = 1_000;
/** Failures that were under way together can exceed the burst; they are paid for up to this. */
const longestWaitMs = 15 * 60_000;
/** About 2 MB; a flood of addresses pushes out the ones that failed longest ago. */
const mostAddresses = 10_000;

/**
 * Limits the requests of a client address that show no valid token, so that nobody can guess fast
 * or have us look up for nothing. Kept in the process: several processes each allow as much.
 */
export function createFailureLimit(clock: Clock) {
  /** When an address has paid for all its failures, in elapsed ms; the least recent failure first. */
  const paidAt = new Map<string, number>();

  return {
    /** @throws ApiError 429 when the address has to wait before it may fail again */
    refuse(address: string): void {
      const until = paidAt.get(clientNetwork(address));
      if (until === undefined) return;
      const waitMs = until - clock.elapsedMs() - (burst - 1) * everyMs;
      if (waitMs <= 0) return;
      const seconds = Math.ceil(waitMs / 1_000);
      throw new ApiError('rate_limited', {
        message: `Too many requests without a valid token came from this address. Try again in ${seconds} s.`,
        retryAfterSeconds: seconds,
      });
    },

    failed(address: string): void {
      const network = clientNetwork(address);
      const at = clock.elapsedMs();
      const until = Math.max(at, paidAt.get(network) ?? 0) + everyMs;
      paidAt.delete(network);
      paidAt.set(network, Math.min(until, at + burst * everyMs + longestWaitMs));
      if (paidAt.size > mostAddresses) paidAt.delete(paidAt.keys().next().value!);
    },

    /** How many addresses are remembered. */
    get size() {
      return paidAt.size;
    },
  };
}
