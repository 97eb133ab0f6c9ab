import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

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
    errors: {
      'Idempotency-Key': ['must have 1 to 255 visible ASCII characters and be sent only once'],
    },
  });
}

/**
 * A fingerprint of a request: the same for the same method, path and body, however a client orders
 * the fields of the body. It takes a key, for a body can hold a one-time password, and those have
 * few enough digits to try them all.
 */
export function createFingerprint(key: string) {
  return function fingerprint({ method, url, body }: FastifyRequest): Buffer {
    const request = JSON.stringify([method, url, body], sortFields);
    return createHmac('sha256', key).update(request).digest();
  };
}

function sortFields(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
