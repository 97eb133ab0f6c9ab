import { Unreachable } from '../../../parts/behaviour/problem.ts';

const maxAttemptMs = 15_000;
const againMs = 1_000;
const maxMs = 120_000;

/**
 * Makes a request with an Idempotency-Key until there is a response. Its connection may be lost without a sign, and
 * asking again costs nothing: the service lets the next request wait for the one before.
 *
 * @param ask makes the request, and ends it at the signal
 * @throws Problem if the service refuses it; Unreachable after the second failure, or two minutes of silence
 */
export async function untilResponse<Result>(
  ask: (silence: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const endsAt = Date.now() + maxMs;
  for (let failures = 0; ; ) {
    const silence = AbortSignal.timeout(maxAttemptMs);
    try {
      return await ask(silence);
    } catch (error) {
      if (!silence.aborted) failures++;
      if (!(error instanceof Unreachable) || failures === 2 || Date.now() >= endsAt) throw error;
      if (!silence.aborted) await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}
