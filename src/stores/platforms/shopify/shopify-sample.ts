import { randomUUID } from 'node:crypto';
import type { Topic } from '../../schema.ts';
import type { PlatformSample, SampleFacts } from '../platform.ts';

/** Posts in the shapes of Shopify's Admin REST API, as its webhooks send them. */
export const shopifySample: PlatformSample = {
  body: (topic, facts) => JSON.stringify({ id: facts.id, ...content(topic, facts) }),
  headers: (_topic, { at }) => ({
    'x-shopify-shop-domain': 'sample.myshopify.com',
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-event-id': randomUUID(),
    'x-shopify-triggered-at': at.toISOString(),
  }),
};

function content(topic: Topic, { id, phone, country, at }: SampleFacts) {
  const time = at.toISOString().replace(/\.\d+Z$/, '+00:00');
  const times = { created_at: time, updated_at: time };
  const address = {
    first_name: 'Sample',
    last_name: 'Buyer',
    address1: '1 Market Street',
    phone,
    city: 'San Francisco',
    zip: '94105',
    province: 'California',
    country: country === 'US' ? 'United States' : country,
    country_code: country,
    company: null,
    name: 'Sample Buyer',
  };
  const customer = {
    email: 'sample.buyer@shop.example',
    first_name: 'Sample',
    last_name: 'Buyer',
    phone: null,
    default_address: address,
  };
  switch (topic) {
    case 'order.deleted':
      return {};
    case 'order.created':
    case 'order.updated':
      return {
        admin_graphql_api_id: `gid://shopify/Order/${id}`,
        ...times,
        name: '#1001',
        order_number: 1001,
        currency: 'USD',
        total_price: '29.90',
        financial_status: 'paid',
        fulfillment_status: topic === 'order.created' ? null : 'fulfilled',
        email: customer.email,
        phone: null,
        customer: { id: 207119551, ...customer },
        billing_address: address,
        shipping_address: address,
        line_items: [{ id: 1, title: 'Café cup', quantity: 2, price: '14.95' }],
      };
    case 'product.created':
    case 'product.updated':
      return {
        admin_graphql_api_id: `gid://shopify/Product/${id}`,
        ...times,
        title: 'Café cup',
        handle: 'cafe-cup',
        vendor: 'Sample shop',
        status: 'active',
        variants: [{ id: 1, title: 'Default Title', price: '14.95', sku: 'CUP-1' }],
      };
    case 'customer.created':
      return {
        admin_graphql_api_id: `gid://shopify/Customer/${id}`,
        ...times,
        ...customer,
        addresses: [address],
      };
  }
}
