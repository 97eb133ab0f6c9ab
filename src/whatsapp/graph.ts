import { Agent, request } from 'undici';
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

  return {
    /** @param path begins with a slash and follows the version; its segments are encoded */
    async call(
      { networkUrl, accessToken }: Credentials,
      method: 'GET' | 'POST',
      path: string,
      body?: object,
    ): Promise<GraphAnswer> {
      // The agent's time-outs are for silence; this one also ends an answer that only drips.
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(new Error('no answer in time')), timeoutMs);
      try {
        const response = await request(`${networkUrl}/${version}${path}`, {
          dispatcher,
          method,
          headers: {
            authorization: `Bearer ${accessToken}`,
            ...(body && { 'content-type': 'application/json' }),
          },
          body: body && JSON.stringify(body),
          signal: deadline.signal,
        });
        const text = await response.body.text();
        return { answered: true, status: response.statusCode, body: parseObject(text) };
      } catch (cause) {
        return { answered: false, left: !neverLeft(cause), cause };
      } finally {
        clearTimeout(timer);
      }
    },

    close: () => dispatcher.destroy(),
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
