import { type CountryCode, isSupportedCountry, parsePhoneNumber } from 'libphonenumber-js/max';
import { type Fault, fault } from '../../platform/errors/fault.ts';

/** A phone as a buyer typed it. */
export type TypedPhone = {
  /** Its name in reasons, such as "billing phone". */
  name: string;
  text: string | undefined;
  /** The country of the address that the phone belongs to. */
  country?: string;
};

export type FoundPhone = { phone: string } | { reason: Fault };

/**
 * Reads the phone of a buyer, in E.164. Nothing is guessed: the first phone in the payload decides, a text
 * with letters is no number, and a national number needs a country. Only assigned numbers are valid, because
 * buyers type "0000000000" to get past a form.
 *
 * @param country the store's country, for phones whose address has none
 */
export function findPhone(
  { phones, noPhone }: { phones: TypedPhone[]; noPhone: Fault },
  country: string | null,
): FoundPhone {
  const given = phones.find(({ text }) => text);
  if (!given?.text) return { reason: noPhone };
  const region = given.country ?? country ?? undefined;
  const phone = readPhone(given.text, region);
  return phone ? { phone } : { reason: whyUnusable(given.name, given.text, region) };
}

function whyUnusable(name: string, text: string, region: string | undefined): Fault {
  const part = name.replaceAll(' ', '_');
  const phone = text.slice(0, 40);
  if (/^(\+|00)/.test(text)) {
    return fault('phone_not_valid', 'The {name} "{phone}" is not a valid number.', {
      name,
      part,
      phone,
    });
  }
  if (!region) {
    return fault(
      'phone_without_country',
      'The {name} "{phone}" has no country code, and no country is known for it.',
      { name, part, phone },
    );
  }
  if (!/^[a-z]{2}$/i.test(region)) {
    return fault(
      'phone_of_no_country',
      'The {name} "{phone}" cannot be read: "{country}" is not a two-letter country code such as DE.',
      { name, part, phone, country: region.slice(0, 20) },
    );
  }
  return fault('phone_not_of_country', 'The {name} "{phone}" is not a valid {country} number.', {
    name,
    part,
    phone,
    country: region.toUpperCase(),
  });
}

/** Reads a phone in E.164; undefined if it is not in use. `country` is for one without a country code. */
export function readPhone(text: string, country: string | undefined): string | undefined {
  if (text.length > 40 || /\p{L}/u.test(text)) return undefined;
  const region = country?.toUpperCase();
  try {
    const parsed = parsePhoneNumber(
      text,
      region && isSupportedCountry(region) ? (region as CountryCode) : undefined,
    );
    if (parsed.isValid()) return parsed.number;
    // The 1 after Mexico's country code is no longer in the numbering plan, but buyers and the network write it.
    const current = parsed.number.replace(/^\+521(?=\d{10}$)/, '+52');
    return current === parsed.number ? undefined : readPhone(current, undefined);
  } catch {
    return undefined;
  }
}
