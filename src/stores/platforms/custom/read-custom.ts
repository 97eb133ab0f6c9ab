import { fault } from '../../../platform/errors/fault.ts';
import type { Topic } from '../../schema.ts';
import { type Buyer, nobody, onePerson, type Person, personAt } from '../buyer.ts';
import { firstText, type Payload, textAt } from '../read-payload.ts';
import { kindOf, type Reading, readTime, skipped, type Unreadable } from '../reading.ts';

/**
 * Reads a payload of a custom store: an `id`, `updated_at` with its zone, and the buyer's
 * `first_name`, `last_name`, `email`, `company`, `city`, `phone` and `country` under `customer`,
 * under `billing`, or beside the id. `guest` is true for an order without an account.
 */
export function readCustom(topic: Topic, payload: Payload): Reading | Unreadable {
  const id = textAt(payload, 'id');
  const isDelete = topic === 'order.deleted';
  const isBare = Object.keys(payload).length === 1;
  if (id === undefined)
    return skipped(
      fault('post_without_id', 'The body does not match the topic {topic}: it has no id.', {
        topic,
      }),
    );
  if (id.length > 100)
    return skipped(
      fault(
        'post_id_too_long',
        'The body does not match the topic {topic}: its id is longer than 100 characters.',
        { topic },
      ),
    );
  if (isDelete && !isBare)
    return skipped(
      fault('more_than_id', 'The body does not match the topic {topic}: it has more than an id.', {
        topic,
      }),
    );
  if (isBare && !isDelete)
    return skipped(
      fault('only_id', 'The body does not match the topic {topic}: it has only an id.', { topic }),
    );
  return {
    kind: kindOf(topic),
    id,
    number: textAt(payload, 'number')?.slice(0, 100),
    changedAt:
      readTime(firstText(payload, 'updated_at', 'created_at')) ??
      readTime(firstText(payload, 'date_modified_gmt', 'date_created_gmt')),
    buyer: isDelete ? nobody(topic) : buyerOf(payload),
  };
}

function buyerOf(payload: Payload): Buyer {
  return {
    ...onePerson(
      partAt(payload, 'customer.', 'customer phone'),
      partAt(payload, 'billing.', 'billing phone'),
      partAt(payload, '', 'phone'),
    ),
    isGuest: textAt(payload, 'guest') === 'true',
    noPhone: fault('no_buyer_phone', 'The payload has no phone of the buyer.'),
  };
}

function partAt(payload: Payload, place: string, phoneName: string): Person {
  const person = personAt(payload, place, { phoneName, countryName: 'country' });
  return {
    ...person,
    firstname: person.firstname ?? textAt(payload, `${place}firstname`),
    lastname: person.lastname ?? textAt(payload, `${place}lastname`),
    // A country beside the id applies to every phone without one.
    phones: person.phones.map((phone) => ({
      ...phone,
      country: phone.country ?? textAt(payload, 'country'),
    })),
  };
}
