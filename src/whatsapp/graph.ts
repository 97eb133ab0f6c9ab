import { fault } from '../platform/errors/fault.ts';
import { OutboundFailure } from '../platform/outbound/outbound-failure.ts';
import { type ReceivedResponse, sendRequest } from '../platform/outbound/send-request.ts';
import { createConnections, isHeard } from './connections.ts';
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

/** The network's data of an object, or why it did not return them. */
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
export const maxBodyBytes = 4_000_000;

/**
 * Creates a client of the Graph API, which makes one request per call and never retries.
 *
 * @param timeoutMs how long a call may take as a whole
 */
export function createGraph({ version, timeoutMs }: { version: string; timeoutMs: number }) {
  const connections = createConnections(timeoutMs);
  let last: { networkUrl: string; origin: string; prefix: string } | undefined;

  /** Parses the address, unless it is that of the previous call, as nearly always. */
  function addressOf(networkUrl: string) {
    if (last?.networkUrl !== networkUrl) {
      const { origin, pathname } = new URL(networkUrl);
      last = { networkUrl, origin, prefix: pathname.replace(/\/$/, '') };
    }
    return last;
  }

  function requestOf({ networkUrl, accessToken }: Access, method: 'GET' | 'POST', path: string) {
    const { origin, prefix } = addressOf(networkUrl);
    return {
      origin,
      path: `${prefix}/${version}${path}`,
      method,
      headers: { authorization: `Bearer ${accessToken}` },
    };
  }

  return {
    /** Returns a request without a body, for a call that needs a connection of its own. */
    requestOf,

    /**
     * Makes one call.
     *
     * @param path the part after the version, with a leading slash and encoded segments
     */
    async call(
      access: Access,
      method: 'GET' | 'POST',
      path: string,
      body?: object,
    ): Promise<GraphResult> {
      const { headers, ...called } = requestOf(access, method, path);
      const watch = connections.watchOf(called.origin);
      if (!(await watch.mayCall())) {
        const cause = new OutboundFailure(
          'timeout',
          fault('host_stopped_responding', 'The host has stopped responding.'),
        );
        return { received: false, left: false, cause };
      }
      const request = {
        ...called,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      };
      // undici calls `onStart` when the connection is complete, and then writes immediately. So a
      // request that did not start has not left.
      let left = false;
      const limits = { timeoutMs, maxBodyBytes, onStart: () => (left = true) };
      const end = watch.begin();
      try {
        const response = await sendRequest(connections.agent(), request, limits);
        end(true);
        return readResponse(response, left);
      } catch (cause) {
        end(isHeard(cause));
        return { received: false, left, cause };
      }
    },

    close: connections.close,
  };
}

export function readResponse(
  { status, body, truncated }: ReceivedResponse,
  left: boolean,
): GraphResult {
  if (!truncated) return { received: true, status, body: parseObject(body.toString()) };
  return { received: false, left, cause: new Error(`more than ${maxBodyBytes} bytes`) };
}
