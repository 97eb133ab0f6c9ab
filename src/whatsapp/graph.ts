import { Agent, buildConnector } from 'undici';
import { feedParser, onread } from '../platform/outbound/feed-parser.ts';
import { parserHeaderBytes } from '../platform/outbound/response-limits.ts';
import { sendRequest } from '../platform/outbound/send-request.ts';
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

/** Of one response; a page of templates is the longest. */
const maxBodyBytes = 4_000_000;

/**
 * Calls of the Graph API: one request, one answer, never a second try.
 *
 * @param timeoutMs how long a call may take as a whole
 */
export function createGraph({ version, timeoutMs }: { version: string; timeoutMs: number }) {
  const connect = buildConnector({ allowH2: false, timeout: Math.min(timeoutMs, 10_000), onread });
  const dispatcher = new Agent({
    connections: 256,
    allowH2: false, // its responses would get past the parser and its limits
    connect: feedParser(connect),
    maxHeaderSize: parserHeaderBytes,
    // Each call has its own time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
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
      const request = {
        origin,
        path: `${prefix}/${version}${path}`,
        method,
        headers: {
          authorization: `Bearer ${accessToken}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      };
      // undici reports the start when it has a connection, handshake and all, and writes right after
      // that. So a request that did not start has not left.
      let left = false;
      const limits = { timeoutMs, maxBodyBytes, onStart: () => (left = true) };
      try {
        const { status, body: bytes, truncated } = await sendRequest(dispatcher, request, limits);
        if (truncated) throw new Error(`more than ${maxBodyBytes} bytes`);
        return { answered: true, status, body: parseObject(bytes.toString()) };
      } catch (cause) {
        return { answered: false, left, cause };
      }
    },

    close: () => dispatcher.destroy(),
  };
}
