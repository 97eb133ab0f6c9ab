import type { ErrorCode } from './errors.ts';
import { rememberKey } from './idempotency-key.ts';
import { NoResponseError } from './no-response-error.ts';

export type RetryOptions = {
  /**
   * The maximum number of attempts, including the first; with 1 there are no retries. By default 5, not counting
   * those that ask for the outcome of a send (`code: "outcome_unknown"`), for which the service takes five minutes.
   */
  maxAttempts?: number;
  /**
   * The maximum wait before a retry in milliseconds, at least 1,000; by default 60,000. If the service asks for
   * a longer wait, for example when the messages of a day are used up, you get its response immediately.
   */
  maxWaitMs?: number;
  /** How to wait, for tests; rejects when `signal` is aborted. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const firstWaitMs = 1_000;

/** For an unknown outcome. The service stops asking for retries after five minutes; this ends those that never stop. */
const maxOutcomeWaitMs = 6 * 60_000;

/**
 * Adds retries to `send`, after a 429, a 5xx, or no response. The waits are 1, 2, 4 seconds and so on, with
 * jitter, and at least `Retry-After`. A send whose outcome is unknown (`code: "outcome_unknown"`) is retried only
 * while the response has `Retry-After`. A 500 that a retry would get again is final. Uploads are sent once.
 *
 * @throws NoResponseError if the last attempt has no response; the reason of the signal if the request was aborted
 */
export function retrying(
  send: (request: Request) => Promise<Response>,
  { maxAttempts, maxWaitMs = 60_000, wait = pause }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    // A copy of the request would hold the file in memory until it is sent.
    if (isUpload(request)) return settled(request, await attemptOnce(request));
    const keyed = withKey(request);
    let attempts = 0;
    let outcomeWaitMs = 0;
    for (;;) {
      const outcome = await attemptOnce(keyed.clone());
      const code = outcome instanceof Response ? await codeOf(outcome) : undefined;
      const isUnknown = code === 'outcome_unknown';
      const isCounted = !isUnknown || maxAttempts !== undefined;
      if (isCounted) attempts++;
      const waitMs = waitBefore(Math.max(1, attempts), outcome, maxWaitMs);
      if (
        (outcome instanceof Response && !isRetryable(outcome, code)) ||
        (isCounted && attempts >= (maxAttempts ?? 5)) ||
        outcomeWaitMs >= maxOutcomeWaitMs ||
        keyed.signal.aborted ||
        waitMs === undefined
      ) {
        return settled(keyed, outcome);
      }
      if (isUnknown) outcomeWaitMs += waitMs;
      if (outcome instanceof Response) await outcome.body?.cancel();
      await wait(waitMs, keyed.signal);
    }
  };

  async function attemptOnce(request: Request): Promise<Response | { failure: unknown }> {
    try {
      return await send(request);
    } catch (failure) {
      return { failure };
    }
  }
}

function isUpload({ headers }: Request): boolean {
  return headers.get('content-type')?.startsWith('multipart/') ?? false;
}

/** Adds an Idempotency-Key before the first attempt, because all attempts must have the same one. */
function withKey(request: Request): Request {
  if (request.method !== 'POST' || request.headers.has('idempotency-key')) return request;
  const headers = new Headers(request.headers);
  headers.set('idempotency-key', crypto.randomUUID());
  return new Request(request, { headers });
}

/** The codes of a 500 that the same request would get again: the tenant must act, or the program ask for less. */
const finalCodes: unknown[] = ['network_refused', 'read_too_slow'] satisfies ErrorCode[];

/** Whether the same request may succeed later. */
export function isTransient(status: number, code: unknown): boolean {
  return status === 429 || (status >= 500 && !finalCodes.includes(code));
}

function isRetryable({ status, headers }: Response, code: unknown): boolean {
  // The message may have been sent. Without `Retry-After`, a retry cannot find out more.
  if (code === 'outcome_unknown') return headers.has('retry-after');
  return isTransient(status, code);
}

/** Reads the code of a 500; undefined for other statuses, and for the response of a proxy. */
async function codeOf(response: Response): Promise<unknown> {
  if (response.status !== 500) return undefined;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (body as { code?: unknown } | null | undefined)?.code;
}

/** Ends a request with its last outcome, from which the caller can read the key. */
function settled(request: Request, outcome: Response | { failure: unknown }): Response {
  const key = request.headers.get('idempotency-key') ?? undefined;
  if (outcome instanceof Response) {
    if (key !== undefined) rememberKey(outcome, key);
    return outcome;
  }
  if (request.signal.aborted) throw outcome.failure;
  throw new NoResponseError(outcome.failure, key);
}

/** Returns the milliseconds to wait after an attempt; undefined if there should be no retry. */
function waitBefore(
  attempt: number,
  outcome: Response | { failure: unknown },
  maxWaitMs: number,
): number | undefined {
  const requested = outcome instanceof Response ? retryAfterMs(outcome) : 0;
  if (requested > maxWaitMs) return undefined;
  const own = firstWaitMs * 2 ** (attempt - 1) * (1 + Math.random() / 4);
  return Math.max(requested, firstWaitMs, Math.min(own, maxWaitMs));
}

/** Reads `Retry-After`, which is a number of seconds or a date. */
function retryAfterMs({ headers }: Response): number {
  const value = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Waits; rejects with the reason of the signal when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
