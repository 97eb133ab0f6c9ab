import type { Topic } from '../schema.ts';
import { firstText, hasAny, type Payload, textAt } from './read-payload.ts';
import { kindOf, notThe, type Reading, readTime, type Unreadable } from './reading.ts';

const places = ['customer.', 'billing.', ''];

/**
 * Reads a payload of one's own making: an `id`, `updated_at` with its zone, and the buyer's
 * `first_name`, `last_name`, `email`, `company`, `city`, `phone` and `country` under `customer`,
 * under `billing`, or beside the id.
 */
export function readCustom(topic: Topic, payload: Payload): Reading | Unreadable {
  const id = textAt(payload, 'id');
  const isDelete = topic === 'order.deleted';
  const isBare = Object.keys(payload).length === 1;
  if (id === undefined) return notThe(topic, 'it has no id');
  if (id.length > 100) return notThe(topic, 'its id is longer than 100 characters');
  if (isDelete && !isBare) return notThe(topic, 'it holds more than an id');
  if (isBare && !isDelete) return notThe(topic, 'it holds nothing but an id');
  const text = (name: string) => firstText(payload, ...places.map((place) => place + name));
  return {
    kind: kindOf(topic),
    id,
    changedAt:
      readTime(firstText(payload, 'updated_at', 'created_at')) ??
      readTime(firstText(payload, 'date_modified_gmt', 'date_created_gmt')),
    buyer: {
      firstname: text('first_name') ?? text('firstname'),
      lastname: text('last_name') ?? text('lastname'),
      email: text('email'),
      company: text('company'),
      city: text('city'),
      phones: hasAny(payload, 'customer', 'billing', 'phone')
        ? places.map((place) => ({
            text: textAt(payload, `${place}phone`),
            country: textAt(payload, `${place}country`) ?? text('country'),
          }))
        : [],
    },
  };
}
