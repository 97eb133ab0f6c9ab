import { randomBytes } from 'node:crypto';
import type { Topic } from '../../schema.ts';
import type { PlatformSample, SampleFacts } from '../platform.ts';

/** Posts in the shapes of the WooCommerce REST API v3, as its webhooks send them. */
export const woocommerceSample: PlatformSample = {
  body: (topic, facts) => asPhp(JSON.stringify({ id: facts.id, ...content(topic, facts) })),
  headers(sentTopic) {
    const [resource, event] = sentTopic.split('.') as [string, string];
    return {
      'x-wc-webhook-source': 'https://shop.example/',
      'x-wc-webhook-resource': resource,
      'x-wc-webhook-event': event,
      'x-wc-webhook-id': '1',
      'x-wc-webhook-delivery-id': randomBytes(16).toString('hex'),
    };
  },
};

/** Escapes slashes and everything beyond ASCII, like PHP's `json_encode`. */
function asPhp(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function content(topic: Topic, { phone, country, at }: SampleFacts) {
  const gmt = at.toISOString().slice(0, 19);
  const times = {
    date_created: gmt,
    date_created_gmt: gmt,
    date_modified: gmt,
    date_modified_gmt: gmt,
  };
  const address = {
    first_name: 'Sample',
    last_name: 'Buyer',
    company: '',
    address_1: '1 Market Street',
    address_2: '',
    city: 'San Francisco',
    state: 'CA',
    postcode: '94105',
    country,
  };
  const billing = { ...address, email: 'sample.buyer@shop.example', phone };
  switch (topic) {
    case 'order.deleted':
      return {};
    case 'order.created':
    case 'order.updated':
      return {
        parent_id: 0,
        number: '1001',
        status: topic === 'order.created' ? 'processing' : 'completed',
        currency: 'USD',
        currency_symbol: '$',
        ...times,
        total: '29.90',
        customer_id: 0,
        billing,
        shipping: { ...address, phone: '' },
        payment_method: 'cod',
        payment_method_title: 'Cash on delivery',
        line_items: [
          { id: 1, name: 'Café cup', product_id: 7, quantity: 2, total: '29.90', price: 14.95 },
        ],
      };
    case 'product.created':
    case 'product.updated':
      return {
        name: 'Café cup',
        slug: 'cafe-cup',
        permalink: 'https://shop.example/product/cafe-cup/',
        ...times,
        type: 'simple',
        status: 'publish',
        sku: 'CUP-1',
        price: '14.95',
      };
    case 'customer.created':
      return {
        ...times,
        email: billing.email,
        first_name: 'Sample',
        last_name: 'Buyer',
        role: 'customer',
        username: 'sample.buyer',
        billing,
        shipping: { ...address, phone: '' },
        is_paying_customer: false,
      };
  }
}
