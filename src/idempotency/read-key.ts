import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';

/**
 * Reads the Idempotency-Key of a request; undefined if it has none.
 *
 * @throws ApiError 400 unless it is 1 to 255 visible ASCII characters in a single header
 */
export function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError('bad_request', {
    message: fault('key_not_valid', 'The Idempotency-Key is not valid.'),
    errors: {
      'Idempotency-Key': [
        fault('key_shape', 'must have 1 to 255 visible ASCII characters and be sent only once'),
      ],
    },
  });
}

/**
 * Creates a function that computes a request's fingerprint from its method, path and body, whatever
 * the order of the body's fields. It is keyed (HMAC), because a body can hold a one-time password,
 * which is short enough to find by trying them all.
 *
 * @param keys one for each master key
 * @returns the fingerprints with each key, that of a new request first
 */
export function createFingerprints(keys: string[]) {
  return function fingerprints({ method, url, body }: FastifyRequest): Buffer[] {
    const request = JSON.stringify([method, url, body], sortFields);
    return keys.map((key) => createHmac('sha256', key).update(request).digest());
  };
}

function sortFields(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
