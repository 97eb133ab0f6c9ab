export type RetryOptions = {
  /** The maximum number of attempts, including the first; by default 5. With 1 there are no retries. */
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

/**
 * Adds retries to `send`, after a 429, a 5xx, or no response. The waits are 1, 2, 4 seconds and so on, with
 * jitter, and at least `Retry-After`. A send whose outcome is unknown (`code: "outcome_unknown"`) is retried only
 * while the response has `Retry-After`. Uploads are sent once.
 */
export function retrying(
  send: (request: Request) => Promise<Response>,
  { maxAttempts = 5, maxWaitMs = 60_000, wait = pause }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    // A copy of the request would hold the file in memory until it is sent.
    if (isUpload(request)) return send(request);
    const keyed = withKey(request);
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= maxAttempts;
      const outcome = await attemptOnce(keyed.clone());
      if (outcome instanceof Response && !(await isRetryable(outcome))) return outcome;
      const waitMs = waitBefore(attempt, outcome, maxWaitMs);
      if (isLast || keyed.signal.aborted || waitMs === undefined) return settled(outcome);
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

async function isRetryable(response: Response): Promise<boolean> {
  const { status, headers } = response;
  if (status === 500 && !headers.has('retry-after')) return !(await isOutcomeUnknown(response));
  return status === 429 || status >= 500;
}

/** Whether the message may have been sent and a retry could not find out more, so that the caller must decide. */
async function isOutcomeUnknown(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (body as { code?: unknown } | null | undefined)?.code === 'outcome_unknown';
}

function settled(outcome: Response | { failure: unknown }): Response {
  if (outcome instanceof Response) return outcome;
  throw outcome.failure;
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
