import type { Topic } from '../../schema.ts';
import { type Buyer, nobody, onePerson, type Person, personAt } from '../buyer.ts';
import { firstText, type Payload, textAt } from '../read-payload.ts';
import { kindOf, mismatch, type Reading, readTime, type Unreadable } from '../reading.ts';

/**
 * Reads a payload of a custom store: an `id`, `updated_at` with its zone, and the buyer's
 * `first_name`, `last_name`, `email`, `company`, `city`, `phone` and `country` under `customer`,
 * under `billing`, or beside the id. `guest` is true for an order without an account.
 */
export function readCustom(topic: Topic, payload: Payload): Reading | Unreadable {
  const id = textAt(payload, 'id');
  const isDelete = topic === 'order.deleted';
  const isBare = Object.keys(payload).length === 1;
  if (id === undefined) return mismatch(topic, 'it has no id');
  if (id.length > 100) return mismatch(topic, 'its id is longer than 100 characters');
  if (isDelete && !isBare) return mismatch(topic, 'it has more than an id');
  if (isBare && !isDelete) return mismatch(topic, 'it has only an id');
  return {
    kind: kindOf(topic),
    id,
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
    noPhone: 'The payload has no phone of the buyer.',
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
