import { header, type Platform } from './platform.ts';
import { readWoocommerce } from './read-woocommerce.ts';

/** WooCommerce as its `class-wc-webhook.php` (read November 2026) sends. */
export const woocommerce: Platform = {
  signature: (headers) => header(headers, 'x-wc-webhook-signature'),
  signingKey: decodeEntities,
  sentTopic: (headers) => header(headers, 'x-wc-webhook-topic'),
  topics: {
    'order.created': 'order.created',
    'order.updated': 'order.updated',
    'order.deleted': 'order.deleted',
    'product.created': 'product.created',
    'product.updated': 'product.updated',
    'customer.created': 'customer.created',
  },
  withoutBuyer: ['order.deleted', 'product.created', 'product.updated'],
  // The delivery id is a hash of webhook and second: two orders of one second share it.
  deliveryName: ({ headers }, bodyHash) =>
    `${header(headers, 'x-wc-webhook-delivery-id') ?? ''} ${bodyHash()}`,
  // Sent when the webhook is switched on. Any other answer than 200 is shown to the shop as an error.
  isPing: ({ headers, body }) =>
    !Object.keys(headers).some((name) => name.startsWith('x-wc-')) &&
    /^application\/x-www-form-urlencoded\b/i.test(header(headers, 'content-type') ?? '') &&
    /^webhook_id=\d{1,20}$/.test(body.subarray(0, 64).toString('latin1')) &&
    body.length <= 64,
  read: readWoocommerce,
};

const entities: Record<string, string> = {
  quot: '"',
  lt: '<',
  gt: '>',
  amp: '&',
  '34': '"',
  '39': "'",
  '60': '<',
  '62': '>',
  '38': '&',
};

/** WordPress decodes a secret before signing with it (`wp_specialchars_decode`), once. */
function decodeEntities(secret: string): string {
  return secret.replace(
    /&(?:(quot|lt|gt|amp)|#0*(34|39|60|62|38)|#x0*(22|27|3c|3e|26));/gi,
    (whole, name?: string, decimal?: string, hex?: string) =>
      entities[name ?? decimal ?? String(Number.parseInt(hex ?? '', 16))] ?? whole,
  );
}
