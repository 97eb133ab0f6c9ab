import { fault } from '../../../platform/errors/fault.ts';
import { header, type Platform } from '../platform.ts';
import { customSample } from './custom-sample.ts';
import { readCustom } from './read-custom.ts';

/**
 * A shop that the tenant wrote: `X-Webhook-Topic`, `X-Webhook-Signature` (HMAC-SHA256 of the body in
 * base64 or hex) and, if it numbers its deliveries, `X-Webhook-Id`.
 */
export const custom: Platform = {
  title: 'Custom',
  setUpSteps: [
    fault(
      'set_up_custom_post',
      'POST JSON to the address, with the header X-Webhook-Topic: order.created (or another topic).',
    ),
    fault(
      'set_up_custom_sign',
      'Sign the body: X-Webhook-Signature is the base64 HMAC-SHA256 of the raw body with the secret.',
    ),
    fault(
      'set_up_custom_webhook_id',
      'X-Webhook-Id identifies the delivery, so that a repeat is processed once.',
    ),
  ],
  signatureHeader: 'X-Webhook-Signature',
  signatureToBase64,
  topicHeader: 'X-Webhook-Topic',
  headerPrefix: 'x-webhook-',
  topics: {
    'order.created': 'order.created',
    'order.updated': 'order.updated',
    'order.deleted': 'order.deleted',
    'product.created': 'product.created',
    'product.updated': 'product.updated',
    'customer.created': 'customer.created',
  },
  withoutBuyer: ['order.deleted'],
  deliveryName: ({ headers }, bodyHash) => header(headers, 'x-webhook-id') ?? bodyHash(),
  read: readCustom,
  sample: customSample,
};

function signatureToBase64(signature: string): string {
  const digest = signature.replace(/^sha256=/, '');
  return /^[0-9a-f]{64}$/i.test(digest) ? Buffer.from(digest, 'hex').toString('base64') : digest;
}
