import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type ApiError, invalid } from '../platform/errors/api-error.ts';
import { type Fault, fault } from '../platform/errors/fault.ts';
import { detectTypes, headBytes } from './detect-types.ts';
import {
  emptyFile,
  kindOf,
  type MediaKind,
  mediaKinds,
  mediaLimits,
  megabyte,
  tooLong,
  wrongType,
} from './media-kinds.ts';

/** A file on its way through this process. */
export type PassingFile = {
  mimeType: string;
  /** Its bytes. Fails with an ApiError 422 if they are more than the limit of its kind. */
  body: AsyncIterable<Buffer>;
  /**
   * The facts that are known once all bytes have passed; undefined before. Throws the error with which `body` failed.
   */
  summary(): { size: number; sha256: Buffer } | undefined;
};

/**
 * Checks the beginning of a file against its type. The rest is counted and hashed as it passes, and never held.
 *
 * @param declared the type that the client names
 * @param kind what the file is to be sent as, if the client has named it yet
 * @throws ApiError 422 on `file`
 */
export async function checkFile(
  file: Readable,
  declared: string,
  kind: MediaKind | undefined,
): Promise<PassingFile> {
  const chunks = file[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  const head: Buffer[] = [];
  let headLength = 0;
  while (headLength < headBytes) {
    const { done, value } = await chunks.next();
    if (done) break;
    head.push(value);
    headLength += value.length;
  }
  const mimeType = typeOf(Buffer.concat(head).subarray(0, headBytes), declared, kind);

  const own = kindOf(mimeType)!;
  const maxBytes = mediaLimits[own].megabytes * megabyte;
  const hash = createHash('sha256');
  let size = 0;
  let isWhole = false;
  let failure: unknown;
  const pass = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) {
      throw refused(tooLong(`longer than ${mediaLimits[own].megabytes} MB`, own, 0));
    }
    hash.update(chunk);
    return chunk;
  };
  async function* bytes() {
    try {
      for (const chunk of head.splice(0)) yield pass(chunk);
      for await (const chunk of chunks) yield pass(chunk);
      isWhole = true;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return {
    mimeType,
    body: bytes(),
    summary() {
      if (failure) throw failure;
      return isWhole ? { size, sha256: hash.digest() } : undefined;
    },
  };
}

/** Decides the type of a file by the type that the client names and by its content, which must agree. */
function typeOf(head: Buffer, declared: string, kind: MediaKind | undefined): string {
  if (head.length === 0) throw refused(emptyFile);
  const found = detectTypes(head);
  const isUnknown =
    declared === unknownType || (declared === unnamedType && !found.includes(declared));
  const mimeType = isUnknown ? guess(found, kind) : declared;
  const own = kindOf(mimeType);
  if (kind && own !== kind) throw refused(wrongType(mimeType, kind));
  if (!own) throw refused(notTaken(mimeType));
  if (!found.includes(mimeType)) {
    throw refused(
      fault('media_content', 'is declared as {type}, but its content is {found}', {
        type: mimeType,
        found: found.join(' or ') || 'of another type',
      }),
    );
  }
  return mimeType;
}

/** Clients send this type if they do not know a better one. */
const unknownType = 'application/octet-stream';
/** A part of a form has this type if it names none. */
const unnamedType = 'text/plain';

/** Only office documents of one container do not show their type at the beginning. */
function guess(found: string[], kind: MediaKind | undefined): string {
  const [first, ...others] = found.filter((type) => !kind || kindOf(type) === kind);
  return first && (others.length === 0 || kindOf(first) !== 'document') ? first : unknownType;
}

function notTaken(mimeType: string): Fault {
  const types = mediaKinds.flatMap((kind) => mediaLimits[kind].types).join(', ');
  return fault('media_not_taken', 'is of type {type}; the network takes {types}', {
    type: mimeType.slice(0, 100),
    types,
  });
}

function refused(problem: Fault): ApiError {
  return invalid({ file: [problem] });
}
