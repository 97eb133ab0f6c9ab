import { header, type Platform } from './platform.ts';
import { readCustom } from './read-custom.ts';

/**
 * A shop of one's own making: `X-Webhook-Topic`, `X-Webhook-Signature` (HMAC-SHA256 of the body in
 * base64 or hex) and, where it numbers its deliveries, `X-Webhook-Id`.
 */
export const custom: Platform = {
  signature: (headers) => asBase64(header(headers, 'x-webhook-signature')?.replace(/^sha256=/, '')),
  signingKey: (secret) => secret,
  sentTopic: (headers) => header(headers, 'x-webhook-topic'),
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
  isPing: () => false,
  read: readCustom,
};

function asBase64(signature: string | undefined): string | undefined {
  return signature !== undefined && /^[0-9a-f]{64}$/i.test(signature)
    ? Buffer.from(signature, 'hex').toString('base64')
    : signature;
}
