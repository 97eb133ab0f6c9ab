import {
  followRedirects,
  maxRedirects,
  redirectOf,
} from '../../platform/outbound/follow-redirects.ts';
import type { MeasuredResponse } from '../../platform/outbound/measure-response.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { AddressRefused, OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import { lengthOf, type ResponseHead, typeOf } from '../../platform/outbound/response-head.ts';
import { createMediaCheckLimit } from './limit-media-checks.ts';

export type MediaKind = 'image' | 'document' | 'video' | 'audio';

/** A file that the network will take, by what its address answered. */
export type CheckedMedia = { mimeType: string; bytes: number };

/** `passing`: it is the server's trouble of the moment, and the file may be there in a while. */
export type MediaCheck = { media: CheckedMedia } | { problem: string; passing?: boolean };

const megabyte = 1024 * 1024;

/**
 * The limits and types of each kind of media (docs/spec.md, section 8, and the network's list of
 * types, November 2026).
 */
const limits: Record<MediaKind, { megabytes: number; types: string[] }> = {
  image: { megabytes: 5, types: ['image/jpeg', 'image/png'] },
  video: { megabytes: 16, types: ['video/mp4', 'video/3gpp'] },
  audio: {
    megabytes: 16,
    types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
  },
  document: {
    megabytes: 100,
    types: [
      'application/pdf',
      'text/plain',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
  },
};

/** So much of a file that names its length is read; the rest would only cost a slow line time. */
const enoughBytes = 5 * megabyte;
const knownForMs = 10_000;
/** Of all tenants together; beyond that, good checks are not kept. */
const maxKnown = 10_000;

export type MediaChecker = ReturnType<typeof createMediaChecker>;

/**
 * Checks files before the network is told to fetch them, because its own refusal would come only
 * later, as a failed message. Nothing of a file is kept. If the response names no length, it is read
 * to its end or past the limit, otherwise only as far as shows that the file does arrive.
 *
 * @param timeoutMs for everything: name lookup, connecting, and the last byte; not for waiting
 */
export function createMediaChecker(outbound: Outbound, timeoutMs = 10_000) {
  const known = new Map<string, Promise<MediaCheck>>();
  const limitChecks = createMediaCheckLimit();

  /**
   * A tenant's sends of one file to many phones share one check, and a good one holds for some
   * seconds more.
   *
   * @returns the file, or what is wrong with its address in words that follow the field's name
   * @throws ApiError 429 when too many other files of the tenant are being checked
   */
  return function checkMedia(tenantId: number, url: string, kind: MediaKind): Promise<MediaCheck> {
    const key = `${tenantId} ${kind} ${url}`;
    const earlier = known.get(key);
    if (earlier) return earlier;
    const check = limitChecks(tenantId, () => checkNow(url, kind));
    known.set(key, check);
    const forget = () => known.delete(key);
    check.then((result) => {
      if ('media' in result && known.size <= maxKnown) setTimeout(forget, knownForMs).unref();
      else forget();
    }, forget);
    return check;
  };

  async function checkNow(url: string, kind: MediaKind): Promise<MediaCheck> {
    try {
      const answer = await followRedirects(url, timeoutMs, (address, leftMs) =>
        outbound.measure(address, {
          timeoutMs: leftMs,
          headers: { accept: '*/*' },
          enough: (head) => (redirectOf(head, address) === undefined ? enoughOf(head, kind) : 0),
        }),
      );
      if (!answer) return { problem: `redirects more than ${maxRedirects} times` };
      return judge(answer, kind);
    } catch (error) {
      if (error instanceof AddressRefused) return { problem: `is refused: ${error.message}` };
      if (error instanceof OutboundFailure) {
        return { problem: `could not be fetched: ${timeWords(error, timeoutMs)}`, passing: true };
      }
      throw error;
    }
  }
}

/**
 * The address that is checked, and the only one to be sent on: a reader of URLs passes over a space
 * before them, a line break inside or a slash that leans the wrong way, and the network may read
 * the same text as another address. What is none stays as it is, to be refused.
 */
export function addressOf(url: string): string {
  return URL.parse(url)?.href ?? url;
}

/** How much of a file shows what there is to find out; nothing where its head has said enough. */
function enoughOf(head: ResponseHead, kind: MediaKind): number {
  if (problemOf(head, kind)) return 0;
  return lengthOf(head) === undefined ? limits[kind].megabytes * megabyte + 1 : enoughBytes;
}

function judge(answer: MeasuredResponse, kind: MediaKind): MediaCheck {
  const problem = problemOf(answer, kind);
  if (problem) {
    const { status } = answer;
    return { problem, ...(status === 429 || status >= 500 ? { passing: true } : {}) };
  }
  const { megabytes } = limits[kind];
  if (answer.bytes === 0) return { problem: 'is an empty file' };
  if (answer.bytes > megabytes * megabyte)
    return { problem: tooLong(`longer than ${megabytes} MB`, kind) };
  return { media: { mimeType: typeOf(answer), bytes: lengthOf(answer) ?? answer.bytes } };
}

/** What is wrong by the head alone. */
function problemOf(head: ResponseHead, kind: MediaKind): string | undefined {
  const { megabytes, types } = limits[kind];
  if (head.status !== 200) return `answered with HTTP ${head.status}, not 200`;
  const mimeType = typeOf(head);
  if (!types.includes(mimeType)) {
    const found = mimeType ? `is of type ${mimeType.slice(0, 100)}` : 'names no content type';
    return `${found}; for type ${kind} the network takes ${types.join(', ')}`;
  }
  const length = lengthOf(head) ?? 0;
  if (length <= megabytes * megabyte) return undefined;
  // Rounded up, so that it is more than the limit also in words.
  return tooLong(`${(Math.ceil((10 * length) / megabyte) / 10).toFixed(1)} MB long`, kind);
}

function tooLong(found: string, kind: MediaKind): string {
  return `is ${found}; for type ${kind} the limit is ${limits[kind].megabytes} MB`;
}

function timeWords(error: OutboundFailure, timeoutMs: number): string {
  return error.kind === 'timeout'
    ? `it took longer than ${timeoutMs / 1000} s`
    : error.message.replace(/^./, (first) => first.toLowerCase());
}
