import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

type Request = IncomingMessage | Http2ServerRequest;

const uploads = new WeakSet<Request>();
const hurried = new WeakSet<Request>();

/** The minimum average rate of a body after `rateAfterMs`. */
const minBytesPerSecond = 4 * 1024;

/**
 * Allows the body of a request to take as long as a large file over a slow line. Only for authenticated
 * callers: a body that arrives slowly holds a connection and memory.
 */
export function allowLongUpload(request: Request): void {
  uploads.add(request);
}

/** Requires the body of a request to arrive at 4 KiB/s at least; otherwise the request is cut. */
export function requireMinimumRate(request: Request): void {
  hurried.add(request);
}

export type BodyLimits = {
  /** How long a request may take to arrive. */
  limitMs: number;
  /** The same for a long upload. */
  uploadMs: number;
  /** How long the body of an unauthenticated caller may take before its rate is checked. */
  rateAfterMs: number;
};

/**
 * Creates a check of requests whose bodies are still arriving. It is called for each of them again and again;
 * the time of a body begins with the first call.
 *
 * @returns whether a body takes too long or arrives too slowly. `bytesRead` only has to grow with its bytes
 */
export function createBodyCheck({ limitMs, uploadMs, rateAfterMs }: BodyLimits) {
  const firstSeen = new WeakMap<Request, { at: number; bytes: number }>();

  return function isTooSlow(request: Request, bytesRead: number, now: number): boolean {
    const since = firstSeen.get(request) ?? { at: now, bytes: bytesRead };
    firstSeen.set(request, since);
    const ms = now - since.at;
    if (uploads.has(request)) return ms >= uploadMs;
    if (ms >= limitMs) return true;
    if (ms < rateAfterMs || !hurried.has(request)) return false;
    return bytesRead - since.bytes < (minBytesPerSecond * ms) / 1_000;
  };
}
