import type { Clock } from '../platform/clock.ts';
import { BoundedMap } from '../platform/concurrency/bounded-map.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { clientNetwork } from '../platform/values/networks.ts';

/** The limit is this many failures at once, then one per second. */
const burst = 300;
const everyMs = 1_000;
/** Concurrent failures can exceed the burst; the wait after them is at most this long. */
const maxWaitMs = 15 * 60_000;
/** About 2 MB. Beyond that, the addresses whose last failure is the oldest are evicted. */
const maxAddresses = 10_000;

/**
 * Creates a limiter for the requests of a client address without a valid token, so that nobody can
 * guess tokens fast or cause many useless lookups. It is a token bucket (in GCRA form) for each
 * address in the memory of the process: several processes each allow the full rate.
 */
export function createFailureLimit(clock: Clock) {
  /** When the bucket of each address is full again, in elapsed ms; the oldest failure first. */
  const fullAt = new BoundedMap<string, number>(maxAddresses);

  return {
    /** Throws 429 if the address has used up its failures. */
    refuse(address: string): void {
      const until = fullAt.get(clientNetwork(address));
      if (until === undefined) return;
      const waitMs = until - clock.elapsedMs() - (burst - 1) * everyMs;
      if (waitMs <= 0) return;
      const seconds = Math.ceil(waitMs / 1_000);
      throw new ApiError('rate_limited', {
        message: fault(
          'too_many_failures',
          'Too many requests without a valid token came from this address. Try again in {seconds} s.',
          { seconds: String(seconds) },
        ),
        retryAfterSeconds: seconds,
      });
    },

    /** Counts a failure of the address. */
    failed(address: string): void {
      const network = clientNetwork(address);
      const at = clock.elapsedMs();
      const until = Math.max(at, fullAt.get(network) ?? 0) + everyMs;
      fullAt.set(network, Math.min(until, at + burst * everyMs + maxWaitMs));
    },

    /** How many addresses are stored. */
    get size() {
      return fullAt.size;
    },
  };
}
