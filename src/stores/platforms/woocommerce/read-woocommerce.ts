import type { IncomingHttpHeaders } from 'node:http';
import { fault } from '../../../platform/errors/fault.ts';
import type { Topic } from '../../schema.ts';
import { type Buyer, isKnown, nobody, onePerson, type Person, personAt } from '../buyer.ts';
import { header } from '../platform.ts';
import { hasAny, isObject, type Payload, textAt, valueAt } from '../read-payload.ts';
import { kindOf, mismatch, type Reading, readTime, type Unreadable } from '../reading.ts';

/** Reads a payload of the WooCommerce REST API, version 3. Plugins add to it and change types. */
export function readWoocommerce(
  topic: Topic,
  payload: Payload,
  headers: IncomingHttpHeaders,
): Reading | Unreadable {
  // If the owner of the webhook has lost the right to read, the shop sends the API's error instead of an order.
  const code = textAt(payload, 'code');
  if (code !== undefined && textAt(payload, 'message') !== undefined && !hasAny(payload, 'id')) {
    const message = textAt(payload, 'message')!.slice(0, 200);
    return {
      state: 'failed',
      reason: fault('store_sent_error', 'The store sent an error: {message} ({code})', {
        message,
        code: code.slice(0, 80),
      }),
    };
  }
  const id = textAt(payload, 'id');
  if (id === undefined || !/^\d{1,40}$/.test(id) || !matchesTopic(topic, payload)) {
    return mismatch(topic);
  }
  const time = textAt(payload, 'date_modified_gmt') ?? textAt(payload, 'date_created_gmt');
  return {
    kind: kindOf(topic),
    id,
    shop: shopOf(topic, payload, headers),
    number: textAt(payload, 'number')?.slice(0, 100),
    key: textAt(payload, 'order_key')?.slice(0, 100),
    changedAt: readTime(time),
    buyer: buyerOf(topic, payload),
  };
}

/**
 * Reads the host of the shop. A shop that was copied for tests posts to the same address, with the same secret, and
 * continues the same ids. Only a deletion has nothing of it in its signed body.
 */
function shopOf(topic: Topic, payload: Payload, headers: IncomingHttpHeaders): string | undefined {
  const url =
    topic === 'order.deleted'
      ? header(headers, 'x-wc-webhook-source')
      : textAt(payload, '_links.self.0.href');
  return url === undefined ? undefined : URL.parse(url)?.host.slice(0, 253);
}

/** The topic is in a header, which is not signed, so the body must match it. */
function matchesTopic(topic: Topic, payload: Payload): boolean {
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

/**
 * Reads the buyer. For an order this is the whole billing address. The shipping address may be another
 * person's, so it counts only if the billing address is empty. For a registered customer it is the account
 * with its billing address (its shipping address if that is empty), unless the address names another person.
 */
function buyerOf(topic: Topic, payload: Payload): Buyer {
  if (topic === 'order.deleted' || kindOf(topic) === 'product') return nobody(topic);
  const billing = addressAt(payload, 'billing');
  const address = isKnown(billing) ? billing : addressAt(payload, 'shipping');
  if (kindOf(topic) === 'customer') {
    const account = personAt(payload, '', { phoneName: 'customer phone' });
    return {
      ...onePerson(account, address),
      isGuest: false,
      noPhone: fault('no_customer_phone', 'The customer has no phone.'),
    };
  }
  return {
    ...address,
    // 0 for a guest.
    isGuest: !/^[1-9]\d*$/.test(textAt(payload, 'customer_id') ?? ''),
    noPhone: fault('no_billing_phone', 'The order has no billing phone.'),
  };
}

function addressAt(payload: Payload, name: string): Person {
  return personAt(payload, `${name}.`, { phoneName: `${name} phone`, countryName: 'country' });
}
