import { fault } from '../../../platform/errors/fault.ts';
import { header, type Platform } from '../platform.ts';
import { readWoocommerce } from './read-woocommerce.ts';
import { woocommerceSample } from './woocommerce-sample.ts';

/** WooCommerce as its `class-wc-webhook.php` sends (read in November 2026). */
export const woocommerce: Platform = {
  title: 'WooCommerce',
  setUpSteps: [
    fault(
      'set_up_woocommerce_add',
      'In WordPress, open WooCommerce → Settings → Advanced → Webhooks and choose “Add webhook”.',
    ),
    fault(
      'set_up_woocommerce_choose_topic',
      'Status: Active. Topic: the event you want, such as “Order created”.',
    ),
    fault(
      'set_up_woocommerce_paste',
      'Paste the address and the secret, choose API version 3, and save. WooCommerce sends a ping immediately.',
    ),
    fault(
      'set_up_woocommerce_each_topic',
      'Add one webhook for each topic, all with the same address and secret.',
    ),
  ],
  signatureHeader: 'X-WC-Webhook-Signature',
  signingKey: decodeEntities,
  topicHeader: 'X-WC-Webhook-Topic',
  headerPrefix: 'x-wc-',
  topics: {
    'order.created': 'order.created',
    'order.updated': 'order.updated',
    'order.deleted': 'order.deleted',
    'product.created': 'product.created',
    'product.updated': 'product.updated',
    'customer.created': 'customer.created',
  },
  withoutBuyer: ['order.deleted', 'product.created', 'product.updated'],
  // The delivery id is a hash of webhook and second: two orders in the same second share it.
  deliveryName: ({ headers }, bodyHash) =>
    `${header(headers, 'x-wc-webhook-delivery-id') ?? ''} ${bodyHash()}`,
  // Sent when the webhook is activated. The shop shows any response other than 200 as an error.
  isPing: ({ headers, body }) =>
    !Object.keys(headers).some((name) => name.startsWith('x-wc-')) &&
    /^application\/x-www-form-urlencoded\b/i.test(header(headers, 'content-type') ?? '') &&
    /^webhook_id=\d{1,20}$/.test(body.subarray(0, 64).toString('latin1')) &&
    body.length <= 64,
  read: readWoocommerce,
  sample: woocommerceSample,
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
