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
};

/**
 * Uploads a file to send it by its `media_id`. The file is streamed, and never in memory as a whole, so the upload is
 * not retried.
 *
 * @throws ParleyError if it is refused
 */
export async function uploadMedia(
  parley: ParleyClient,
  { type, file, filename }: FileToUpload,
): Promise<UploadedFile> {
  const boundary = `parley-${crypto.randomUUID()}`;
  const parts = multipart(boundary, type, filename, file instanceof Blob ? file.stream() : file);
  const streamed = {
    body: new FormData(),
    bodySerializer: () => parts,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    // Node.js requires it of a body that is a stream.
    duplex: 'half' as const,
  };
  return unwrap(await parley.POST('/media', streamed)).data;
}

/** A file that is being downloaded. */
export type DownloadedFile = {
  stream: ReadableStream<Uint8Array>;
  /** The type of a picture, video or sound; `application/octet-stream` for all others. */
  mimeType: string;
  /** Bytes of the stream; undefined if the service does not know. */
  size: number | undefined;
};

/**
 * Downloads the file of a message, or one that was uploaded.
 *
 * @param range a part of it, such as `bytes=0-1023`
 * @throws ParleyError if it is refused
 */
export async function downloadMedia(
  parley: ParleyClient,
  mediaId: string,
  { range }: { range?: string } = {},
): Promise<DownloadedFile> {
  const result: Result<unknown> = await parley.GET('/media/{media_id}', {
    params: { path: { media_id: mediaId } },
    parseAs: 'stream',
    ...(range !== undefined && { headers: { range } }),
  });
  const { headers, body, ok } = result.response;
  if (!ok || !body) throw new ParleyError(result);
  const length = headers.get('content-length');
  return {
    stream: body,
    mimeType: headers.get('content-type') ?? 'application/octet-stream',
    size: length === null ? undefined : Number(length),
  };
}

function multipart(
  boundary: string,
  type: string,
  filename: string,
  file: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  // As browsers write a name into the header.
  const name = filename.replace(/[\r\n"]/g, encodeURIComponent);
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="type"\r\n\r\n${type}\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n` +
    'content-type: application/octet-stream\r\n\r\n';
  const text = new TextEncoder();
  return file.pipeThrough(
    new TransformStream({
      start: (controller) => controller.enqueue(text.encode(head)),
      flush: (controller) => controller.enqueue(text.encode(`\r\n--${boundary}--\r\n`)),
    }),
  );
}
