import type { Readable } from 'node:stream';
import { ApiError, notFound } from '../../errors.ts';
import { followRedirects, redirectOf } from '../../platform/outbound/follow-redirects.ts';
import type { OpenResponse } from '../../platform/outbound/open-response.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { AddressRefused, OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import { lengthOf, typeOf } from '../../platform/outbound/response-head.ts';

/** A file as it comes; the body must be read to its end or destroyed. */
export type OpenedMedia = {
  /** In whatever words its owner has for it. */
  mimeType: string;
  /** Undefined when it is not known before the end. */
  bytes: number | undefined;
  filename: string | null;
  body: Readable;
};

/** The network's limit (docs/spec.md, section 8). The address may serve another file by now. */
const maxBytes = 100 * 1024 * 1024;

/**
 * Opens the file at an address that a message was sent with. A body that is longer than any file of
 * a message breaks off.
 *
 * @param filename the one that was sent; else it is the last part of the address
 * @param timeoutMs until the file begins to come, redirects included
 * @throws ApiError 404 when there is no file of a possible length, 500 when the address does not
 *   answer
 */
export async function openSentFile(
  files: Outbound,
  url: string,
  filename: string | null,
  timeoutMs = 10_000,
): Promise<OpenedMedia> {
  const answer = await ask(files, url, timeoutMs);
  if (!answer) throw notFound();
  const bytes = lengthOf(answer);
  // What comes packed although nobody asked for it would have to be unpacked here.
  const isFile = answer.status === 200 && !answer.headers['content-encoding'];
  if (!isFile || (bytes ?? 0) > maxBytes) {
    answer.body.destroy();
    throw answer.status >= 500 ? unavailable(`HTTP ${answer.status}`) : notFound();
  }
  return {
    mimeType: typeOf(answer),
    bytes,
    filename: filename ?? lastPartOf(url),
    body: answer.body,
  };
}

async function ask(
  files: Outbound,
  url: string,
  timeoutMs: number,
): Promise<OpenResponse | undefined> {
  try {
    return await followRedirects(url, timeoutMs, async (address, leftMs) => {
      const headers = { accept: '*/*', 'accept-encoding': 'identity' };
      const limits = { timeoutMs: leftMs, maxBodyBytes: maxBytes };
      const answer = await files.open(address, { headers, ...limits });
      if (redirectOf(answer, address) !== undefined) answer.body.destroy();
      return answer;
    });
  } catch (error) {
    if (error instanceof AddressRefused) throw notFound();
    if (error instanceof OutboundFailure) throw unavailable(error);
    throw error;
  }
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: 'The address of the file does not answer at the moment.',
    retryAfterSeconds: 10,
    cause,
  });
}

function lastPartOf(url: string): string | null {
  const part = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(part) || null;
  } catch {
    return part;
  }
}
