import { type CountryCode, isSupportedCountry, parsePhoneNumber } from 'libphonenumber-js/max';

/** A phone as a buyer typed it, with the country of the address it belongs to. */
export type TypedPhone = { text: string | undefined; country?: string };

export type FoundPhone = { phone: string } | { reason: string };

/**
 * The first of a buyer's phones that is one, in E.164. Nothing is guessed: letters make no number,
 * and a national number needs a country. Only numbers that are given out pass, because buyers also
 * type "0000000000" to get past a form.
 *
 * @param country of the store, for phones whose address tells none
 */
export function findPhone(typed: TypedPhone[], country: string | null): FoundPhone {
  const given = typed.filter((each) => each.text);
  for (const each of given) {
    const phone = readPhone(each.text!, each.country ?? country ?? undefined);
    if (phone) return { phone };
  }
  const [first] = given;
  if (!first) return { reason: 'There is no phone.' };
  const text = first.text!.slice(0, 40);
  const where = (first.country ?? country)?.slice(0, 20);
  if (!where) return { reason: `"${text}" is no phone number with a country code.` };
  const hint = /^[a-z]{2}$/i.test(where) ? '' : '; a country is a code of two letters, such as DE';
  return { reason: `"${text}" is no phone number of ${where}${hint}.` };
}

function readPhone(text: string, country: string | undefined): string | undefined {
  if (text.length > 40 || /\p{L}/u.test(text)) return undefined;
  const region = country?.toUpperCase();
  try {
    const parsed = parsePhoneNumber(
      text,
      region && isSupportedCountry(region) ? (region as CountryCode) : undefined,
    );
    if (parsed.isValid()) return parsed.number;
    // The 1 after Mexico's country code left the numbering plan, but buyers and the network write it.
    const current = parsed.number.replace(/^\+521(?=\d{10}$)/, '+52');
    return current === parsed.number ? undefined : readPhone(current, undefined);
  } catch {
    return undefined;
  }
}
