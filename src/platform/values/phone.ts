import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { Type } from 'typebox';
import { doc } from '../http/field-schema.ts';

const shape = '^\\+[1-9][0-9]{1,14}$';

/** E.164 by shape; by `x-phone` the validator asks too that such a phone can exist. */
export const Phone = Type.String({
  pattern: shape,
  'x-phone': true,
  ...doc('Phone number with country code: a leading +, then digits only.', '+14155550123'),
  'x-message':
    'must be a phone number with country code: a leading +, then digits only, such as +14155550123',
});

export const impossiblePhone =
  'must be a possible phone number; this one is too short or too long, has an unknown country code, or still has the 0 that is only dialled inside its country';

const hasShape = new RegExp(shape);

/** Whether a text is a phone as {@link Phone} takes it. */
export function isPhone(text: string): boolean {
  return hasShape.test(text) && !isImpossible(text);
}

/** Whether a phone has the right form but cannot exist. */
export function isImpossible(phone: string): boolean {
  if (!hasShape.test(phone)) return false;
  // The 1 after Mexico's country code left the numbering plan, but the network still writes it.
  return !(isInternational(phone) || isInternational(phone.replace(/^\+521(?=\d{10}$)/, '+52')));
}

/** Removes a prefix that is only dialled inside the country, such as the 0 in +44 (0)20 1234 5678. */
export function withoutNationalPrefix(phone: string): string {
  return parsePhoneNumberFromString(phone)?.number ?? phone;
}

/** Whether the library removes no prefix and the number has a possible length for its country. */
function isInternational(phone: string): boolean {
  const parsed = parsePhoneNumberFromString(phone, { extract: false });
  return parsed?.number === phone && parsed.isPossible();
}
