import { fault } from '../../../platform/errors/fault.ts';
import { header, type Platform } from '../platform.ts';
import { readShopify } from './read-shopify.ts';
import { shopifySample } from './shopify-sample.ts';

/** Shopify as shopify.dev and its libraries describe it (read in November 2026). */
export const shopify: Platform = {
  title: 'Shopify',
  setUpSteps: [
    fault(
      'set_up_shopify_create',
      'In Shopify, open Settings → Notifications → Webhooks and choose “Create webhook”.',
    ),
    fault(
      'set_up_shopify_choose_event',
      'Choose the event, the format JSON and the newest API version, and paste the address.',
    ),
    fault(
      'set_up_shopify_own_key',
      'Shopify signs with its own key, shown below the list. Enter that key here as the secret.',
    ),
    fault(
      'set_up_shopify_each_event',
      'Add one webhook for each event, all with the same address.',
    ),
  ],
  ownSecret: fault(
    'shopify_secret_place',
    'Shopify shows its secret below the list of webhooks: “Your webhooks will be signed with …”.',
  ),
  signatureHeader: 'X-Shopify-Hmac-Sha256',
  topicHeader: 'X-Shopify-Topic',
  headerPrefix: 'x-shopify-',
  topics: {
    'orders/create': 'order.created',
    'orders/updated': 'order.updated',
    'orders/delete': 'order.deleted',
    'products/create': 'product.created',
    'products/update': 'product.updated',
    'customers/create': 'customer.created',
  },
  withoutBuyer: ['order.deleted', 'product.created', 'product.updated'],
  deliveryName: ({ headers, body }, bodyHash) => {
    const event = header(headers, 'x-shopify-event-id');
    if (event === undefined) return header(headers, 'x-shopify-webhook-id') ?? bodyHash();
    return `${event} ${resourceId(body)}`;
  },
  read: readShopify,
  sample: shopifySample,
};

/**
 * Reads the id of the order, product or customer, with which Shopify begins its bodies; an empty string if it is not
 * there. One action of a merchant, such as a bulk edit, may change several under the same event id.
 */
function resourceId(body: Buffer): string {
  return /^\{\s*"id":\s*(\d{1,20})/.exec(body.toString('latin1', 0, 100))?.[1] ?? '';
}
