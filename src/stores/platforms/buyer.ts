import { type Fault, fault } from '../../platform/errors/fault.ts';
import { foldText } from '../../platform/values/texts/fold-text.ts';
import type { TypedPhone } from '../processing/find-phone.ts';
import type { Topic } from '../schema.ts';
import { type Payload, textAt } from './read-payload.ts';

/** A person as one part of a payload describes them. */
export type Person = {
  firstname?: string;
  lastname?: string;
  email?: string;
  company?: string;
  city?: string;
  /** The first one with a text is used. */
  phones: TypedPhone[];
};

/** The person that the contact and the message of an event belong to. */
export type Buyer = Person & {
  /** Whether the buyer has no account in the shop, so that the shop has not verified any field. */
  isGuest: boolean;
  /** The reason if the buyer has no phone. */
  noPhone: Fault;
};

/**
 * Reads the person at a path of a payload.
 *
 * @param place ends with a dot, such as `billing.`; empty for the payload itself
 * @param phoneName the name of the phone in reasons
 * @param countryName the name of the field with the country code, if there is one
 */
export function personAt(
  payload: Payload,
  place: string,
  { phoneName, countryName }: { phoneName: string; countryName?: string },
): Person {
  const text = (name: string) => textAt(payload, place + name);
  return {
    firstname: text('first_name'),
    lastname: text('last_name'),
    email: text('email'),
    company: text('company'),
    city: text('city'),
    phones: [{ name: phoneName, text: text('phone'), country: countryName && text(countryName) }],
  };
}

/** Returns whether a person can be identified: by a name, a company, an email address or a phone. */
export function isKnown(person: Person): boolean {
  const { email, company, phones } = person;
  return isNamed(person) || Boolean(email || company) || phones.some(({ text }) => text);
}

export function isNamed({ firstname, lastname }: Person): boolean {
  return firstname !== undefined || lastname !== undefined;
}

/** Returns whether both have names that differ by more than case and accents that capitals leave out. */
export function areDifferent(one: Person, other: Person): boolean {
  return isNamed(one) && isNamed(other) && fullName(one) !== fullName(other);
}

/**
 * Joins the parts of a payload that describe one person. The first part with a name decides who that is. A
 * part that names another person is left out completely. Name, email address, and company with city are each
 * taken from the first part that has them.
 */
export function onePerson(...parts: Person[]): Person {
  const named = parts.find(isNamed);
  const own = named ? parts.filter((part) => !areDifferent(part, named)) : parts;
  const address = own.find(({ company, city }) => company ?? city);
  return {
    firstname: named?.firstname,
    lastname: named?.lastname,
    email: own.find(({ email }) => email)?.email,
    company: address?.company,
    city: address?.city,
    phones: own.flatMap(({ phones }) => phones),
  };
}

/** Returns the buyer for a topic whose posts name none. */
export function nobody(topic: Topic): Buyer {
  return {
    phones: [],
    isGuest: true,
    noPhone: fault('topic_without_phones', 'Posts of the topic {topic} have no phone.', { topic }),
  };
}

function fullName({ firstname, lastname }: Person): string {
  return foldText([firstname, lastname].filter(Boolean).join(' '));
}
