export type RetryOptions = {
    /** How often a request is sent at most, the first time included; 5 when absent, 1 for no retry. */
    tries?: number;
    /**
     * The longest wait before a retry, in milliseconds; 60,000 when absent. When the service asks for
     * more, as it does once the messages of a day are used up, its answer is yours at once.
     */
    longestWaitMs?: number;
    /** How to wait, for tests; rejects when `signal` is aborted. */
    wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};
/**
 * Sends requests as `send` does, and again when they are answered 429 or 5xx, or not at all: after
 * a second, two, four and so on, a little more by chance, and never before `Retry-After` is over.
 */
export declare function retrying(send: (request: Request) => Promise<Response>, { tries, longestWaitMs, wait }?: RetryOptions): (request: Request) => Promise<Response>;
