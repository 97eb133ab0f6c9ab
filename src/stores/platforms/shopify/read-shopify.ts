import { fault } from '../../../platform/errors/fault.ts';
import type { Topic } from '../../schema.ts';
import { type Buyer, isKnown, nobody, onePerson, type Person, personAt } from '../buyer.ts';
import { firstText, hasAny, type Payload, textAt } from '../read-payload.ts';
import { kindOf, mismatch, type Reading, readTime, type Unreadable } from '../reading.ts';

/** Reads a payload in the shapes of Shopify's Admin REST API, which its webhooks use. */
export function readShopify(topic: Topic, payload: Payload): Reading | Unreadable {
  const id = textAt(payload, 'id');
  if (id === undefined || !/^\d{1,40}$/.test(id) || !matchesTopic(topic, payload)) {
    return mismatch(topic);
  }
  const time = textAt(payload, 'updated_at') ?? textAt(payload, 'created_at');
  return {
    kind: kindOf(topic),
    id,
    number: topic.startsWith('order.') ? textAt(payload, 'name')?.slice(0, 100) : undefined,
    changedAt: readTime(time),
    buyer: buyerOf(topic, payload),
  };
}

/** The topic is in a header, which is not signed, so the body must match it. */
function matchesTopic(topic: Topic, payload: Payload): boolean {
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
  if (topic === 'order.deleted' || kindOf(topic) === 'product') return nobody(topic);
  if (kindOf(topic) === 'customer') {
    return {
      ...onePerson(
        personAt(payload, '', { phoneName: 'customer phone' }),
        addressAt(payload, 'default_address', 'default address phone'),
      ),
      isGuest: !hasAccount(payload, 'state'),
      noPhone: fault('no_customer_phone', 'The customer has no phone.'),
    };
  }
  const buyer = orderBuyer(payload);
  return {
    ...(isKnown(buyer) ? buyer : addressAt(payload, 'shipping_address', 'shipping phone')),
    isGuest: !hasAccount(payload, 'customer.state'),
    noPhone: fault('no_order_phone', 'The order has no phone of the customer.'),
  };
}

/**
 * Reads the buyer of an order: the customer, with the contact details of the checkout (`email`, `phone`), the
 * billing address and the customer's default address, unless these name another person. Shopify makes the
 * recipient of a customer's last order their default address. The shipping address never counts as the
 * buyer's, even under the buyer's name, because it may be another person.
 */
function orderBuyer(payload: Payload): Person {
  const checkout: Person = {
    email: firstText(payload, 'email', 'contact_email'),
    phones: [{ name: 'contact phone', text: textAt(payload, 'phone') }],
  };
  return onePerson(
    checkout,
    personAt(payload, 'customer.', { phoneName: 'customer phone' }),
    addressAt(payload, 'billing_address', 'billing phone'),
    addressAt(payload, 'customer.default_address', 'default address phone'),
  );
}

function addressAt(payload: Payload, place: string, phoneName: string): Person {
  return personAt(payload, `${place}.`, { phoneName, countryName: 'country_code' });
}

/** Returns whether the customer has ever signed in to the shop, unlike `disabled`, `invited` and `declined`. */
function hasAccount(payload: Payload, path: string): boolean {
  return textAt(payload, path) === 'enabled';
}
