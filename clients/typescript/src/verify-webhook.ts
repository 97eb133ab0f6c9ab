import type { components, WebhookEvent } from './schema.ts';

export type { WebhookEvent };

/** The event of a requested test; nothing has changed. */
export type TestEvent = components['schemas']['TestWebhook'];

/** The reason why a request must not be trusted. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** The `Headers` of a fetch-style request, or a plain object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | string[] | undefined>;

/**
 * Verifies that Parley sent a request to your webhook recently, and parses it. The same event can arrive more
 * than once, with the same `webhook-id`.
 *
 * Follows https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param body the unparsed body
 * @param secrets the webhook's secret (`whsec_...`), or both during a rotation
 * @param options `toleranceSeconds`: the maximum difference between our clock and the time of the request; by
 *   default 300
 * @throws WebhookVerificationError
 * @throws TypeError if a secret is malformed or the body was parsed already, which are mistakes of the receiver, not of
 *   the sender
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: { toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds) {
    throw new WebhookVerificationError('the request is too old, or its time is in the future');
  }
  const signed = joined(bytesOf(`${id}.${timestamp}.`), bytes);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of signatures.split(' ')) {
      if (await isValid(key, signature, signed)) {
        return JSON.parse(new TextDecoder().decode(bytes));
      }
    }
  }
  throw new WebhookVerificationError('no signature matches');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`the header ${name} is missing`);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** A framework that parses JSON passes an object, whatever the type says. */
function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError(
    'the body must be the unparsed one of the request, as text or bytes: pass it on before a JSON parser reads it',
  );
}

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function keyOf(secret: string): Promise<HmacKey> {
  // A missing setting is undefined at run time, whatever its type.
  const bytes = fromBase64(String(secret ?? '').replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('a webhook secret must be `whsec_` followed by base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

/** Compares in constant time, as `subtle.verify` does. */
async function isValid(key: HmacKey, signature: string, signed: Uint8Array<ArrayBuffer>) {
  const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
  return bytes !== undefined && crypto.subtle.verify('HMAC', key, bytes, signed);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
