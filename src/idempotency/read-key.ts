import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { sha256 } from '../platform/crypto.ts';

/**
 * The Idempotency-Key of a request, undefined without one.
 *
 * @throws ApiError 400 unless it is 1 to 255 visible ASCII characters (two headers are none)
 */
export function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError('bad_request', {
    message: 'The Idempotency-Key is not valid.',
    errors: { 'Idempotency-Key': ['must be 1 to 255 visible ASCII characters, sent once'] },
  });
}

/** The same for the same method, path and body, however a client orders the fields of the body. */
export function fingerprintOf({ method, url, body }: FastifyRequest): Buffer {
  return sha256(JSON.stringify([method, url, body], sortFields));
}

function sortFields(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
