import { header, type Platform } from './platform.ts';
import { readShopify } from './read-shopify.ts';

/** Shopify as shopify.dev and its libraries (read November 2026) describe it. */
export const shopify: Platform = {
  signature: (headers) => header(headers, 'x-shopify-hmac-sha256'),
  signingKey: (secret) => secret,
  sentTopic: (headers) => header(headers, 'x-shopify-topic'),
  topics: {
    'orders/create': 'order.created',
    'orders/updated': 'order.updated',
    'orders/delete': 'order.deleted',
    'products/create': 'product.created',
    'products/update': 'product.updated',
    'customers/create': 'customer.created',
  },
  withoutBuyer: ['order.deleted', 'product.created', 'product.updated'],
  deliveryName: ({ headers }, bodyHash) =>
    header(headers, 'x-shopify-event-id') ?? header(headers, 'x-shopify-webhook-id') ?? bodyHash(),
  isPing: () => false,
  read: readShopify,
};
