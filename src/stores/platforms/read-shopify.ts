import type { Topic } from '../schema.ts';
import { firstText, hasAny, type Payload, textAt } from './read-payload.ts';
import { type Buyer, kindOf, notThe, type Reading, readTime, type Unreadable } from './reading.ts';

/** Reads a payload of Shopify's Admin REST shapes, which its webhooks carry. */
export function readShopify(topic: Topic, payload: Payload): Reading | Unreadable {
  const id = textAt(payload, 'id');
  if (id === undefined || !/^\d{1,40}$/.test(id) || !isWhat(topic, payload)) return notThe(topic);
  const time = textAt(payload, 'updated_at') ?? textAt(payload, 'created_at');
  return { kind: kindOf(topic), id, changedAt: readTime(time), buyer: buyerOf(topic, payload) };
}

/** The topic is a header, which is not signed: the body has to bear it out. */
function isWhat(topic: Topic, payload: Payload): boolean {
  if (topic === 'order.deleted') {
    return Object.keys(payload).every((name) => ['id', 'admin_graphql_api_id'].includes(name));
  }
  const isOrder = hasAny(payload, 'line_items', 'total_price', 'order_number', 'financial_status');
  const isProduct = !isOrder && hasAny(payload, 'title', 'variants', 'handle', 'product_type');
  switch (kindOf(topic)) {
    case 'order':
      return isOrder || (!isProduct && hasAny(payload, 'customer', 'billing_address'));
    case 'product':
      return isProduct;
    case 'customer':
      return (
        !isOrder &&
        !isProduct &&
        hasAny(payload, 'email', 'phone', 'first_name', 'last_name', 'default_address', 'addresses')
      );
  }
}

function buyerOf(topic: Topic, payload: Payload): Buyer {
  switch (kindOf(topic)) {
    case 'product':
      return { phones: [] };
    case 'customer':
      return {
        firstname: firstText(payload, 'first_name', 'default_address.first_name'),
        lastname: firstText(payload, 'last_name', 'default_address.last_name'),
        email: textAt(payload, 'email'),
        company: textAt(payload, 'default_address.company'),
        city: textAt(payload, 'default_address.city'),
        phones: [{ text: textAt(payload, 'phone') }, addressPhone(payload, 'default_address')],
      };
    case 'order': {
      const addresses = ['billing_address', 'shipping_address', 'customer.default_address'];
      const text = (name: string) =>
        firstText(payload, ...addresses.map((address) => `${address}.${name}`));
      return {
        firstname: textAt(payload, 'customer.first_name') ?? text('first_name'),
        lastname: textAt(payload, 'customer.last_name') ?? text('last_name'),
        email: firstText(payload, 'email', 'contact_email', 'customer.email'),
        company: text('company'),
        city: text('city'),
        phones: [
          { text: textAt(payload, 'phone') },
          { text: textAt(payload, 'customer.phone') },
          ...addresses.map((address) => addressPhone(payload, address)),
        ],
      };
    }
  }
}

function addressPhone(payload: Payload, address: string) {
  return {
    text: textAt(payload, `${address}.phone`),
    country: textAt(payload, `${address}.country_code`),
  };
}
