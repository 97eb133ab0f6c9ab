import { Agent, type Dispatcher } from 'undici';
import type { Json } from './json.ts';
import { parseObject } from './json.ts';

/** What the Cloud API needs to act for a number. */
export type Credentials = {
  /** Base address of the Graph API, without version or trailing slash. */
  networkUrl: string;
  phoneNumberId: string;
  accessToken: string;
};

/** `left` is false when not a byte of the request was written, so that nothing can have happened. */
export type GraphAnswer =
  | { answered: true; status: number; body: Json | undefined }
  | { answered: false; left: boolean; cause: unknown };

export type Graph = ReturnType<typeof createGraph>;

/**
 * Calls of the Graph API: one request, one answer, never a second try.
 *
 * @param timeoutMs how long a call may take as a whole
 */
export function createGraph({ version, timeoutMs }: { version: string; timeoutMs: number }) {
  const dispatcher = new Agent({
    connections: 256,
    connect: { timeout: Math.min(timeoutMs, 10_000) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: 4_000_000,
  });
  let known: { networkUrl: string; origin: string; prefix: string } | undefined;

  /** Nearly always that of the call before. */
  function addressOf(networkUrl: string) {
    if (known?.networkUrl !== networkUrl) {
      const { origin, pathname } = new URL(networkUrl);
      known = { networkUrl, origin, prefix: pathname.replace(/\/$/, '') };
    }
    return known;
  }

  return {
    /** @param path begins with a slash and follows the version; its segments are encoded */
    async call(
      { networkUrl, accessToken }: Credentials,
      method: 'GET' | 'POST',
      path: string,
      body?: object,
    ): Promise<GraphAnswer> {
      const { origin, prefix } = addressOf(networkUrl);
      const options = {
        origin,
        path: `${prefix}/${version}${path}`,
        method,
        headers: {
          authorization: `Bearer ${accessToken}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      };
      try {
        // Not undici's `request`, whose streams and signals took a tenth of the time of a send.
        return await new Promise<GraphAnswer>((resolve) => {
          dispatcher.dispatch(options, gatherAnswer(resolve, timeoutMs));
        });
      } catch (cause) {
        // undici would not take the request.
        return { answered: false, left: false, cause };
      }
    },

    close: () => dispatcher.destroy(),
  };
}

/**
 * Gathers the answer to one request. The agent's own time-outs are for silence; the one here also
 * ends an answer that only drips, and a request that still waits for a connection.
 *
 * undici tells of the start of a request when it has a connection, handshake and all, and writes
 * right after that: so a request that did not start has not left.
 */
function gatherAnswer(
  resolve: (answer: GraphAnswer) => void,
  timeoutMs: number,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let request: Dispatcher.DispatchController | undefined;
  let tooLate: Error | undefined;
  let status = 0;
  const fail = (cause: unknown) => {
    clearTimeout(timer);
    resolve({ answered: false, left: request !== undefined, cause });
  };
  const timer = setTimeout(() => {
    tooLate = new Error('no answer in time');
    fail(tooLate);
    request?.abort(tooLate);
  }, timeoutMs);
  return {
    onRequestStart(started) {
      request = started;
      if (tooLate) request.abort(tooLate);
    },
    onResponseStart(_, statusCode) {
      status = statusCode;
    },
    onResponseData(_, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      clearTimeout(timer);
      resolve({ answered: true, status, body: parseObject(Buffer.concat(chunks).toString()) });
    },
    onResponseError(_, error) {
      fail(error);
    },
  };
}
