import { Readable } from 'node:stream';

/** Bytes of a body, both ends included, counted from 0. */
export type ByteRange = { first: number; last: number };

/**
 * Reads which part of a body of `length` bytes a `Range` header requests (RFC 9110, section 14).
 *
 * @returns undefined if the whole body is to be sent: no header, a unit other than bytes, several ranges, or
 *   an invalid header. 'unsatisfiable' if the range begins after the end (416)
 */
export function readRange(
  header: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  // A range without a start is a suffix: the last `to` bytes.
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  if (first >= length) return 'unsatisfiable';
  return { first, last: from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1) };
}

/** Returns a part of a body as a stream. Bytes after the part are not read. */
export function partOf(body: Readable, range: ByteRange): Readable {
  const part = Readable.from(chunksOf(body, range), { objectMode: false });
  // Also if the part is not read to its end, or not at all.
  return part.once('close', () => body.destroy());
}

async function* chunksOf(body: AsyncIterable<Buffer>, { first, last }: ByteRange) {
  let at = 0;
  for await (const chunk of body) {
    const part = chunk.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at > last) return;
  }
}
