import { randomUUID } from 'node:crypto';
import type { Topic } from '../../schema.ts';
import type { PlatformSample, SampleFacts } from '../platform.ts';

/** Posts of a custom shop, in the shape that docs/stores.md shows. */
export const customSample: PlatformSample = {
  body: (topic, facts) => JSON.stringify({ id: String(facts.id), ...content(topic, facts) }),
  headers: () => ({ 'x-webhook-id': randomUUID() }),
};

function content(topic: Topic, { phone, country, at }: SampleFacts) {
  const updated_at = at.toISOString();
  const customer = {
    first_name: 'Sample',
    last_name: 'Buyer',
    email: 'sample.buyer@shop.example',
    city: 'San Francisco',
    phone,
    country,
  };
  switch (topic) {
    case 'order.deleted':
      return {};
    case 'order.created':
    case 'order.updated':
      return { updated_at, customer, total: '29.90', currency: 'USD' };
    case 'product.created':
    case 'product.updated':
      return { updated_at, name: 'Café cup', price: '14.95', currency: 'USD' };
    case 'customer.created':
      return { updated_at, customer };
  }
}
