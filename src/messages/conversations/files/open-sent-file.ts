import type { Readable } from 'node:stream';
import { ApiError, notFound } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { followRedirects, redirectOf } from '../../../platform/outbound/follow-redirects.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { AddressRefused, OutboundFailure } from '../../../platform/outbound/outbound-failure.ts';
import type { OpenResponse } from '../../../platform/outbound/responses/open-response.ts';
import { lengthOf, typeOf } from '../../../platform/outbound/responses/response-head.ts';

/** A file being downloaded. The body must be read to its end or destroyed. */
export type OpenedMedia = {
  /** The type that its server sent, not validated. */
  mimeType: string;
  /** Undefined if the server does not announce the length. */
  bytes: number | undefined;
  filename: string | null;
  body: Readable;
};

/** The network's limit (docs/spec.md, section 8). The URL may serve another file by now. */
const maxBytes = 100 * 1024 * 1024;

/**
 * Opens the file at the URL that a message was sent with. A body of more than 100 MB is aborted.
 *
 * @param filename the name that was sent; if null, the last segment of the URL is used
 * @param timeoutMs until the response headers arrive, including redirects
 * @throws ApiError 404 if there is no file or it is too long, 500 if the server is unavailable
 */
export async function openSentFile(
  files: Outbound,
  url: string,
  filename: string | null,
  timeoutMs = 10_000,
): Promise<OpenedMedia> {
  const response = await requestFile(files, url, timeoutMs);
  if (!response) throw notFound();
  const bytes = lengthOf(response);
  // A compressed body would have to be decompressed here, and we asked for none.
  const isFile = response.status === 200 && !response.headers['content-encoding'];
  if (!isFile || (bytes ?? 0) > maxBytes) {
    response.body.destroy();
    throw response.status >= 500 ? unavailable(`HTTP ${response.status}`) : notFound();
  }
  return {
    mimeType: typeOf(response),
    bytes,
    filename: filename ?? lastSegmentOf(url),
    body: response.body,
  };
}

async function requestFile(
  files: Outbound,
  url: string,
  timeoutMs: number,
): Promise<OpenResponse | undefined> {
  try {
    return await followRedirects(url, timeoutMs, async (address, leftMs) => {
      const headers = { accept: '*/*', 'accept-encoding': 'identity' };
      const limits = { timeoutMs: leftMs, maxBodyBytes: maxBytes };
      const response = await files.open(address, { headers, ...limits });
      if (redirectOf(response, address) !== undefined) response.body.destroy();
      return response;
    });
  } catch (error) {
    if (error instanceof AddressRefused) throw notFound();
    if (error instanceof OutboundFailure) throw unavailable(error);
    throw error;
  }
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'file_server_unavailable',
      'The server of the file is unavailable. Try again later.',
    ),
    retryAfterSeconds: 10,
    cause,
  });
}

function lastSegmentOf(url: string): string | null {
  const segment = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment) || null;
  } catch {
    return segment;
  }
}
