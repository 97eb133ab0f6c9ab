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
  /** The first one with a text counts. */
  phones: TypedPhone[];
};

/** The one person that the contact and the message of an event are for. */
export type Buyer = Person & {
  /** Has no account in the shop, so the shop vouches for none of the fields. */
  isGuest: boolean;
  /** The reason of an event whose buyer has no phone. */
  noPhone: string;
};

/**
 * Reads the person at a place of a payload.
 *
 * @param place ends with a dot, such as `billing.`; empty for the payload itself
 * @param phoneName what a reason calls the phone
 * @param countryName the name of the country code beside it; left out where there is none
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

/** Whether a person has anything that tells who it is: a name, a company, an email address or a phone. */
export function isKnown(person: Person): boolean {
  const { email, company, phones } = person;
  return isNamed(person) || Boolean(email || company) || phones.some(({ text }) => text);
}

export function isNamed({ firstname, lastname }: Person): boolean {
  return firstname !== undefined || lastname !== undefined;
}

/** Whether both are named, and the names differ by more than capitals. */
export function areDifferent(one: Person, other: Person): boolean {
  return isNamed(one) && isNamed(other) && fullName(one) !== fullName(other);
}

/**
 * Joins the parts of a payload that describe one person. The first part with a name says who it is; a
 * part that names somebody else is left out as a whole. Name, email address, and company with city are
 * each taken from the first part that has them.
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

/** The buyer of a topic whose posts name none. */
export function nobody(topic: Topic): Buyer {
  return { phones: [], isGuest: true, noPhone: `Posts of the topic ${topic} have no phone.` };
}

function fullName({ firstname, lastname }: Person): string {
  return [firstname, lastname].filter(Boolean).join(' ').normalize('NFKC').toLowerCase();
}
