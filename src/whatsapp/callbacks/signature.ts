import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether the header `X-Hub-Signature-256: sha256=<hex>` has the HMAC-SHA256 of the body. It must
 * be the raw body, because Meta escapes `/` and non-ASCII characters before signing.
 */
export function isSignedBy(appSecret: string, body: Buffer, header: string | undefined): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  const expected = createHmac('sha256', appSecret).update(body).digest();
  return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected);
}
