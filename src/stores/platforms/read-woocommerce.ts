import type { Topic } from '../schema.ts';
import { firstText, hasAny, isObject, type Payload, textAt, valueAt } from './read-payload.ts';
import { type Buyer, kindOf, notThe, type Reading, readTime, type Unreadable } from './reading.ts';

/** Reads a payload of the WooCommerce REST API, version 3. Plugins add to it and change types. */
export function readWoocommerce(topic: Topic, payload: Payload): Reading | Unreadable {
  // A webhook whose owner in the shop lost the right to read sends what the API answers them.
  const code = textAt(payload, 'code');
  if (code !== undefined && textAt(payload, 'message') !== undefined && !hasAny(payload, 'id')) {
    const message = textAt(payload, 'message')!.slice(0, 200);
    return {
      state: 'failed',
      reason: `The store sent an error: ${message} (${code.slice(0, 80)})`,
    };
  }
  const id = textAt(payload, 'id');
  if (id === undefined || !/^\d{1,40}$/.test(id) || !isWhat(topic, payload)) return notThe(topic);
  const time = textAt(payload, 'date_modified_gmt') ?? textAt(payload, 'date_created_gmt');
  return {
    kind: kindOf(topic),
    id,
    changedAt: readTime(time),
    buyer: buyerOf(topic, payload),
  };
}

/** The topic is a header, which is not signed: the body has to bear it out. */
function isWhat(topic: Topic, payload: Payload): boolean {
  if (topic === 'order.deleted') return Object.keys(payload).length === 1;
  const isOrder = hasAny(payload, 'line_items', 'order_key', 'total', 'payment_method');
  const isCustomer =
    !isOrder && hasAny(payload, 'username', 'role', 'is_paying_customer', 'avatar_url');
  switch (kindOf(topic)) {
    case 'order':
      return isOrder || (isObject(valueAt(payload, 'billing')) && !isCustomer);
    case 'customer':
      return isCustomer || (!isOrder && hasAny(payload, 'email', 'billing'));
    case 'product':
      return (
        !isOrder &&
        !isCustomer &&
        !hasAny(payload, 'billing', 'email') &&
        hasAny(payload, 'name', 'slug', 'sku', 'price', 'permalink', 'type')
      );
  }
}

function buyerOf(topic: Topic, payload: Payload): Buyer {
  if (kindOf(topic) === 'product') return { phones: [] };
  const own = kindOf(topic) === 'customer' ? [''] : [];
  const text = (name: string) =>
    firstText(payload, ...[...own, 'billing.', 'shipping.'].map((place) => place + name));
  return {
    firstname: text('first_name'),
    lastname: text('last_name'),
    email: text('email'),
    company: text('company'),
    city: text('city'),
    phones: ['billing', 'shipping'].map((place) => ({
      text: textAt(payload, `${place}.phone`),
      country: textAt(payload, `${place}.country`),
    })),
  };
}
