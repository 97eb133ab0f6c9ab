import type { Topic } from '../../schema.ts';
import type { SampleFacts } from './sample-facts.ts';

/** A payload of a shop of one's own making, in the shape that the guide shows (docs/stores.md). */
export function customSample(topic: Topic, facts: SampleFacts): string {
  return JSON.stringify({ id: String(facts.id), ...content(topic, facts) });
}

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
