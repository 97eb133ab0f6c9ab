const firstWaitMs = 1_000;
/**
 * Sends requests as `send` does, and again when they are answered 429 or 5xx, or not at all: after
 * a second, two, four and so on, a little more by chance, and never before `Retry-After` is over.
 */
export function retrying(send, { tries = 5, longestWaitMs = 60_000, wait = pause } = {}) {
    return async (request) => {
        const repeatable = withKey(request);
        for (let attempt = 1;; attempt++) {
            const isLast = attempt >= tries;
            const outcome = await attemptOnce(repeatable.clone());
            if (outcome instanceof Response && !isWorthARetry(outcome))
                return outcome;
            const waitMs = waitBefore(attempt, outcome, longestWaitMs);
            if (isLast || repeatable.signal.aborted || waitMs === undefined)
                return settled(outcome);
            if (outcome instanceof Response)
                await outcome.body?.cancel();
            await wait(waitMs, repeatable.signal);
        }
    };
    async function attemptOnce(request) {
        try {
            return await send(request);
        }
        catch (failure) {
            return { failure };
        }
    }
}
/** The key must be the same on every try, so it is chosen before the first. */
function withKey(request) {
    if (request.method !== 'POST' || request.headers.has('idempotency-key'))
        return request;
    const headers = new Headers(request.headers);
    headers.set('idempotency-key', crypto.randomUUID());
    return new Request(request, { headers });
}
function isWorthARetry({ status }) {
    return status === 429 || status >= 500;
}
function settled(outcome) {
    if (outcome instanceof Response)
        return outcome;
    throw outcome.failure;
}
/** Milliseconds to wait after try number `attempt`; undefined when it is not worth waiting. */
function waitBefore(attempt, outcome, longestWaitMs) {
    const asked = outcome instanceof Response ? retryAfterMs(outcome) : 0;
    if (asked > longestWaitMs)
        return undefined;
    const own = firstWaitMs * 2 ** (attempt - 1) * (1 + Math.random() / 4);
    return Math.max(asked, Math.min(own, longestWaitMs));
}
/** `Retry-After` is a number of seconds or a date. */
function retryAfterMs({ headers }) {
    const value = headers.get('retry-after') ?? '';
    const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
    return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
function pause(ms, signal) {
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
