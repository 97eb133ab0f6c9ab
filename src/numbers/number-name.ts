import { Type } from 'typebox';
import { doc } from '../platform/http/field-schema.ts';
import type { ConnectedNumber } from './find-number.ts';

/** The optional parameter of a list that names a number of the tenant. */
export const NumberName = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    ...doc(
      'Only of this number of yours: its phone with country code, or the network’s id of it.',
      '106540352242922',
    ),
  }),
);

/**
 * Whether `from` or `number` of a request names this number, by its phone or the network's id. Without a name, any
 * does.
 */
export function matchesName(number: ConnectedNumber, name: string | null | undefined): boolean {
  return !name || name === number.phoneNumberId || hasPhone(number, name);
}

/** @param phone in E.164 */
export function hasPhone({ displayPhoneNumber }: ConnectedNumber, phone: string): boolean {
  return phone.startsWith('+') && displayPhoneNumber?.replace(/\D/g, '') === phone.slice(1);
}

/** Names a number as `from` accepts it: by its phone in E.164, and by its id. */
export function nameWithId({ phoneNumberId, displayPhoneNumber }: ConnectedNumber): string {
  const phone = displayPhoneNumber?.replace(/[^\d+]/g, '');
  return phone ? `${phone} (${phoneNumberId})` : phoneNumberId;
}
