import { Agent, type Dispatcher } from 'undici';
import type { Json } from './json.ts';
import { parseObject } from './json.ts';

/** What the Cloud API needs to act for a number. */
export type Credentials = {
  /** Base address of the Graph API, without version or trailing slash. */
  networkUrl: string;
  phoneNumberId: string;
  accessToken: string;
  /** What the network takes of this number; absent: the usual. */
  messagesPerSecond?: number | null;
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
        const answer = await new Promise<TextAnswer>((resolve, reject) => {
          dispatcher.dispatch(options, gatherText(resolve, reject, timeoutMs));
        });
        return { answered: true, status: answer.status, body: parseObject(answer.text) };
      } catch (cause) {
        return { answered: false, left: !neverLeft(cause), cause };
      }
    },

    close: () => dispatcher.destroy(),
  };
}

type TextAnswer = { status: number; text: string };

/**
 * Gathers the answer to one request as text. The agent's own time-outs are for silence; the one
 * here also ends an answer that only drips, and a request that still waits for a connection.
 */
function gatherText(
  resolve: (answer: TextAnswer) => void,
  reject: (cause: unknown) => void,
  timeoutMs: number,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let request: Dispatcher.DispatchController | undefined;
  let tooLate: Error | undefined;
  let status = 0;
  const timer = setTimeout(() => {
    tooLate = new Error('no answer in time');
    request?.abort(tooLate);
    reject(tooLate);
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
      resolve({ status, text: Buffer.concat(chunks).toString() });
    },
    onResponseError(_, error) {
      clearTimeout(timer);
      reject(error);
    },
  };
}

/** Errors of looking up and connecting: not a byte of the request was written. */
function neverLeft(error: unknown): boolean {
  const { code, syscall } = error as { code?: string; syscall?: string };
  return (
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    syscall === 'connect'
  );
}
