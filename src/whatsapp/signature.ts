import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether `X-Hub-Signature-256: sha256=<hex>` is the HMAC-SHA256 of exactly these bytes. Meta
 * escapes `/` and non-ASCII before it signs, so only the raw body will do.
 */
export function isSignedBy(appSecret: string, body: Buffer, header: string | undefined): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  const expected = createHmac('sha256', appSecret).update(body).digest();
  return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected);
}
