import { type Fault, fault } from '../../platform/errors/fault.ts';
import type { AccountNumber } from '../../whatsapp/numbers/list-account-numbers.ts';

/** Presents a number that a token can see. */
export function presentVisible(number: AccountNumber) {
  return {
    phone_number_id: number.phoneNumberId,
    business_account_id: number.businessAccountId,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
  };
}

/** The message for a number that is not one of those that a token can see, or for none of several. */
export function notOneOf(choices: AccountNumber[]): Fault {
  return fault('not_a_visible_number', 'must be one of the numbers that the token sees: {known}', {
    known: choices.map(describe).join('; '),
  });
}

function describe({ phoneNumberId, displayPhoneNumber, verifiedName }: AccountNumber): string {
  const phone = [displayPhoneNumber, verifiedName].filter((part) => part !== null).join(', ');
  return phone ? `${phoneNumberId} (${phone})` : phoneNumberId;
}
