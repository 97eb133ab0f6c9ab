export type RetryOptions = {
  /** How often a request is sent at most, the first time included; 5 when absent, 1 for no retry. */
  tries?: number;
  /**
   * The longest wait before a retry, in milliseconds; 60,000 when absent, 1,000 at least. When the service asks for
   * more, as it does once the messages of a day are used up, its answer is yours at once.
   */
  longestWaitMs?: number;
  /** How to wait, for tests; rejects when `signal` is aborted. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const firstWaitMs = 1_000;

/**
 * Sends requests as `send` does, and again when they are answered 429 or 5xx, or not at all: after
 * a second, two, four and so on, a little more by chance, and never before `Retry-After` is over. A send
 * whose outcome is unknown (`code: "outcome_unknown"`) is repeated only while the response has `Retry-After`.
 */
export function retrying(
  send: (request: Request) => Promise<Response>,
  { tries = 5, longestWaitMs = 60_000, wait = pause }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const repeatable = withKey(request);
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= tries;
      const outcome = await attemptOnce(repeatable.clone());
      if (outcome instanceof Response && !(await isWorthARetry(outcome))) return outcome;
      const waitMs = waitBefore(attempt, outcome, longestWaitMs);
      if (isLast || repeatable.signal.aborted || waitMs === undefined) return settled(outcome);
      if (outcome instanceof Response) await outcome.body?.cancel();
      await wait(waitMs, repeatable.signal);
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

/** The key must be the same on every try, so it is chosen before the first. */
function withKey(request: Request): Request {
  if (request.method !== 'POST' || request.headers.has('idempotency-key')) return request;
  const headers = new Headers(request.headers);
  headers.set('idempotency-key', crypto.randomUUID());
  return new Request(request, { headers });
}

async function isWorthARetry(response: Response): Promise<boolean> {
  const { status, headers } = response;
  if (status === 500 && !headers.has('retry-after')) return !(await isOutcomeUnknown(response));
  return status === 429 || status >= 500;
}

/** A message that may have been sent, and nothing that a retry could find out: the caller must decide. */
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

/** Milliseconds to wait after try number `attempt`; undefined when it is not worth waiting. */
function waitBefore(
  attempt: number,
  outcome: Response | { failure: unknown },
  longestWaitMs: number,
): number | undefined {
  const asked = outcome instanceof Response ? retryAfterMs(outcome) : 0;
  if (asked > longestWaitMs) return undefined;
  const own = firstWaitMs * 2 ** (attempt - 1) * (1 + Math.random() / 4);
  return Math.max(asked, firstWaitMs, Math.min(own, longestWaitMs));
}

/** `Retry-After` is a number of seconds or a date. */
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
