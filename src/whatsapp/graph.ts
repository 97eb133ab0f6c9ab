import { Agent, buildConnector } from 'undici';
import { feedParser, onread } from '../platform/outbound/feed-parser.ts';
import { parserHeaderBytes } from '../platform/outbound/response-limits.ts';
import { sendRequest } from '../platform/outbound/send-request.ts';
import { type GraphError, readGraphError } from './errors.ts';
import type { Json } from './json.ts';
import { parseObject } from './json.ts';

/** The network, and the token with which it is called. */
export type Access = {
  /** Base address of the Graph API, without version or trailing slash. */
  networkUrl: string;
  accessToken: string;
};

/** The credentials with which the Cloud API acts for a number. */
export type Credentials = Access & { phoneNumberId: string };

/**
 * The response, or why none was received. If `left` is false, not a byte of the request was
 * written.
 */
export type GraphResult =
  | { received: true; status: number; body: Json | undefined }
  | { received: false; left: boolean; cause: unknown };

/** What the network knows of something, or why it did not say. */
export type LookUp<Value> =
  | { outcome: 'found'; value: Value }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

/** @param read reads the body of a success; undefined if it has another shape */
export function readLookUp<Value>(
  result: GraphResult,
  read: (body: Json) => Value | undefined,
): LookUp<Value> {
  if (!result.received) return { outcome: 'unreachable', cause: result.cause };
  const { status, body } = result;
  const value = status === 200 && body ? read(body) : undefined;
  if (value === undefined) return { outcome: 'refused', error: readGraphError(status, body) };
  return { outcome: 'found', value };
}

export type Graph = ReturnType<typeof createGraph>;

/** The limit for one response; a page of templates is the longest. */
const maxBodyBytes = 4_000_000;

/**
 * Creates a client of the Graph API, which makes one request per call and never retries.
 *
 * @param timeoutMs how long a call may take as a whole
 */
export function createGraph({ version, timeoutMs }: { version: string; timeoutMs: number }) {
  const connect = buildConnector({ allowH2: false, timeout: Math.min(timeoutMs, 10_000), onread });
  const dispatcher = new Agent({
    connections: 256,
    allowH2: false, // HTTP/2 responses would bypass the parser and its limits
    connect: feedParser(connect),
    maxHeaderSize: parserHeaderBytes,
    // Each call has its own time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let last: { networkUrl: string; origin: string; prefix: string } | undefined;

  /** Parses the address, unless it is that of the previous call, as nearly always. */
  function addressOf(networkUrl: string) {
    if (last?.networkUrl !== networkUrl) {
      const { origin, pathname } = new URL(networkUrl);
      last = { networkUrl, origin, prefix: pathname.replace(/\/$/, '') };
    }
    return last;
  }

  return {
    /**
     * Makes one call.
     *
     * @param path the part after the version, with a leading slash and encoded segments
     */
    async call(
      { networkUrl, accessToken }: Access,
      method: 'GET' | 'POST',
      path: string,
      body?: object,
    ): Promise<GraphResult> {
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
      // undici calls `onStart` when the connection is complete, and then writes immediately. So a
      // request that did not start has not left.
      let left = false;
      const limits = { timeoutMs, maxBodyBytes, onStart: () => (left = true) };
      try {
        const { status, body: bytes, truncated } = await sendRequest(dispatcher, request, limits);
        if (truncated) throw new Error(`more than ${maxBodyBytes} bytes`);
        return { received: true, status, body: parseObject(bytes.toString()) };
      } catch (cause) {
        return { received: false, left, cause };
      }
    },

    close: () => dispatcher.destroy(),
  };
}
