import {
  emptyFile,
  type MediaKind,
  mediaLimits,
  megabyte,
  tooLong,
  wrongType,
} from '../../../media/media-kinds.ts';
import { createTtlCache } from '../../../platform/concurrency/ttl-cache.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';
import {
  followRedirects,
  maxRedirects,
  redirectOf,
} from '../../../platform/outbound/follow-redirects.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { AddressRefused, OutboundFailure } from '../../../platform/outbound/outbound-failure.ts';
import type { MeasuredResponse } from '../../../platform/outbound/responses/measure-response.ts';
import {
  lengthOf,
  type ResponseHead,
  typeOf,
} from '../../../platform/outbound/responses/response-head.ts';
import { createMediaCheckLimit } from './limit-media-checks.ts';

/** A file that the network will accept, according to the response of its server. */
export type CheckedMedia = { mimeType: string; bytes: number };

/** `passing`: the server has a temporary problem, so a retry may succeed. */
export type MediaCheck = { media: CheckedMedia } | { problem: Fault; passing?: boolean };

/** How much is read of a file with a Content-Length. Reading the rest would only take time. */
const enoughBytes = 5 * megabyte;
const cacheTtlMs = 10_000;

export type MediaChecker = ReturnType<typeof createMediaChecker>;

/**
 * Checks files before the network is asked to fetch them, because the network would report a bad file only
 * later, as a failed message. Files are not stored. A response without a Content-Length is read to its end
 * or past the limit; otherwise only its beginning is read.
 *
 * @param timeoutMs for everything: name lookup, connecting, and the last byte; not for waiting
 */
export function createMediaChecker(outbound: Outbound, timeoutMs = 10_000) {
  const cache = createTtlCache<Promise<MediaCheck>>({ ttlMs: cacheTtlMs });
  const limitChecks = createMediaCheckLimit();

  /**
   * Checks one file. A tenant's sends of one file to many phones share one check, and a successful check is
   * cached for a few seconds.
   *
   * @returns the file, or the problem with its address, worded to follow the name of the field
   * @throws ApiError 429 if too many other files of the tenant are being checked
   */
  return function checkMedia(tenantId: number, url: string, kind: MediaKind): Promise<MediaCheck> {
    const key = `${tenantId} ${kind} ${url}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const check = limitChecks(tenantId, () => checkNow(url, kind));
    cache.set(key, check, Number.POSITIVE_INFINITY);
    check.then(
      (result) => ('media' in result ? cache.set(key, check) : cache.delete(key)),
      () => cache.delete(key),
    );
    return check;
  };

  async function checkNow(url: string, kind: MediaKind): Promise<MediaCheck> {
    try {
      const response = await followRedirects(url, timeoutMs, (address, leftMs) =>
        outbound.measure(address, {
          timeoutMs: leftMs,
          headers: { accept: '*/*' },
          enough: (head) => (redirectOf(head, address) === undefined ? enoughOf(head, kind) : 0),
        }),
      );
      if (!response)
        return {
          problem: fault('media_redirects', 'redirects more than {max} times', {
            max: maxRedirects,
          }),
        };
      return checkResponse(response, kind);
    } catch (error) {
      if (error instanceof AddressRefused)
        return {
          problem: fault('media_address_refused', 'is refused: {why}', { why: error.fault }),
        };
      if (error instanceof OutboundFailure) {
        return { problem: notFetched(error, timeoutMs), passing: true };
      }
      throw error;
    }
  }
}

/**
 * Normalizes an address. Only the normalized form is checked and sent to the network: URL parsers ignore
 * leading spaces and line breaks and accept backslashes, so the network might read the original text as
 * another address. A text that is not a URL is returned unchanged, to be refused later.
 */
export function addressOf(url: string): string {
  return URL.parse(url)?.href ?? url;
}

/** Returns how much of a file must be read to check it: nothing if its headers already show a problem. */
function enoughOf(head: ResponseHead, kind: MediaKind): number {
  if (problemOf(head, kind)) return 0;
  return lengthOf(head) === undefined ? mediaLimits[kind].megabytes * megabyte + 1 : enoughBytes;
}

function checkResponse(response: MeasuredResponse, kind: MediaKind): MediaCheck {
  const problem = problemOf(response, kind);
  if (problem) {
    const { status } = response;
    return { problem, ...(status === 429 || status >= 500 ? { passing: true } : {}) };
  }
  const { megabytes } = mediaLimits[kind];
  if (response.bytes === 0) return { problem: emptyFile };
  if (response.bytes > megabytes * megabyte)
    return { problem: tooLong(`longer than ${megabytes} MB`, kind, 0) };
  return { media: { mimeType: typeOf(response), bytes: lengthOf(response) ?? response.bytes } };
}

/** Finds a problem that the status line and the headers alone show. */
function problemOf(head: ResponseHead, kind: MediaKind): Fault | undefined {
  const { megabytes, types } = mediaLimits[kind];
  if (head.status !== 200) {
    return fault('media_status', 'responded with HTTP {status}, not 200', {
      status: String(head.status),
    });
  }
  const mimeType = typeOf(head);
  if (!types.includes(mimeType)) return wrongType(mimeType, kind);
  const length = lengthOf(head) ?? 0;
  if (length <= megabytes * megabyte) return undefined;
  // Rounded up, so that the text never shows the limit itself.
  const found = Math.ceil((10 * length) / megabyte) / 10;
  return tooLong(`${found.toFixed(1)} MB long`, kind, found);
}

function notFetched(error: OutboundFailure, timeoutMs: number): Fault {
  if (error.kind === 'timeout') {
    return fault('media_too_slow', 'could not be fetched: it took longer than {seconds} s', {
      seconds: timeoutMs / 1000,
    });
  }
  return fault('media_not_fetched', 'could not be fetched: {why}', {
    why: { ...error.fault, text: error.message.replace(/^./, (first) => first.toLowerCase()) },
  });
}
