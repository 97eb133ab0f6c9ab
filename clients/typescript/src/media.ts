import type { ParleyClient } from './client.ts';
import { ParleyError, type Result, unwrap } from './errors.ts';
import type { operations } from './schema.ts';

export type UploadedFile =
  operations['uploadMedia']['responses'][200]['content']['application/json']['data'];

export type FileToUpload = {
  /** What the file is sent as. */
  type: UploadedFile['type'];
  /** A stream, or a `Blob` such as that of `openAsBlob` of `node:fs`. */
  file: ReadableStream<Uint8Array> | Blob;
  /** The name that people see. */
  filename: string;
  /**
   * The type of the file, by default that of the `Blob`. Without either, the service reads it from the content, which
   * is not possible for office documents.
   */
  mimeType?: string;
  /** The number that is to send the file: its phone or the network's id of it. By default the default number. */
  from?: string;
  /** Ends the upload when it is aborted. */
  signal?: AbortSignal;
};

/**
 * Uploads a file to send it by its `media_id`. The file is streamed, and never in memory as a whole, so the upload is
 * not retried.
 *
 * @throws ParleyError if it is refused; the reason of the signal if it is aborted
 */
export async function uploadMedia(
  parley: ParleyClient,
  upload: FileToUpload,
): Promise<UploadedFile> {
  const boundary = `parley-${crypto.randomUUID()}`;
  const parts = multipart(boundary, upload);
  const streamed = {
    body: new FormData(),
    bodySerializer: () => parts,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    // Node.js requires it of a body that is a stream.
    duplex: 'half' as const,
    ...(upload.signal && { signal: upload.signal }),
  };
  return unwrap(await parley.POST('/media', streamed)).data;
}

/** A file that is being downloaded. */
export type DownloadedFile = {
  stream: ReadableStream<Uint8Array>;
  /**
   * Whether the stream is the requested `range`. Without one, and if the service does not know the size, it is the
   * whole file.
   */
  isPart: boolean;
  /** The type of the file; `application/octet-stream` if it is not one that WhatsApp accepts for sends. */
  mimeType: string;
  /** Bytes of the stream; undefined if the service does not know. */
  size: number | undefined;
};

/**
 * Downloads the file of a message, or one that was uploaded.
 *
 * @param range a part of it, such as `bytes=0-1023`
 * @param signal ends the request, and the stream too, when it is aborted
 * @throws ParleyError if it is refused; the reason of the signal if it is aborted
 */
export async function downloadMedia(
  parley: ParleyClient,
  mediaId: string,
  { range, signal }: { range?: string; signal?: AbortSignal } = {},
): Promise<DownloadedFile> {
  const result: Result<unknown> = await parley.GET('/media/{media_id}', {
    params: { path: { media_id: mediaId } },
    parseAs: 'stream',
    ...(range !== undefined && { headers: { range } }),
    ...(signal && { signal }),
  });
  const { headers, body, ok, status } = result.response;
  if (!ok || !body) throw new ParleyError(result);
  const length = headers.get('content-length');
  return {
    stream: body,
    isPart: status === 206,
    mimeType: headers.get('content-type') ?? 'application/octet-stream',
    size: length === null ? undefined : Number(length),
  };
}

function multipart(
  boundary: string,
  { type, file, filename, mimeType, from }: FileToUpload,
): ReadableStream<Uint8Array> {
  const isBlob = file instanceof Blob;
  const contentType = mimeType || (isBlob && file.type) || 'application/octet-stream';
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head =
    field('type', type) +
    (from === undefined ? '' : field('from', oneLine(from))) +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${oneLine(filename)}"\r\n` +
    `content-type: ${oneLine(contentType)}\r\n\r\n`;
  const text = new TextEncoder();
  return (isBlob ? file.stream() : file).pipeThrough(
    new TransformStream({
      start: (controller) => controller.enqueue(text.encode(head)),
      flush: (controller) => controller.enqueue(text.encode(`\r\n--${boundary}--\r\n`)),
    }),
  );
}

/** Escapes a value as browsers escape a file name in a header. */
function oneLine(value: string): string {
  return value.replace(/[\r\n"]/g, encodeURIComponent);
}
