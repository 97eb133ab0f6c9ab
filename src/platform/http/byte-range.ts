import { Readable } from 'node:stream';

/** Bytes of a body, both ends included, counted from 0. */
export type ByteRange = { first: number; last: number };

/**
 * The part of a body of `length` bytes that a `Range` header asks for (RFC 9110, section 14).
 *
 * @returns undefined when the whole is to be answered: no header, another unit than bytes, several
 *   parts, or nothing that can be read; 'unsatisfiable' for a part that begins behind the end (416)
 */
export function readRange(
  header: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  // Without a beginning it is the last so many bytes.
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  if (first >= length) return 'unsatisfiable';
  return { first, last: from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1) };
}

/** That part of a body as it comes; what lies behind it is not read. */
export function partOf(body: Readable, range: ByteRange): Readable {
  const part = Readable.from(chunksOf(body, range), { objectMode: false });
  // Also where nobody reads it to its end, or begins to.
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
