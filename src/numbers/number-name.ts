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

/** Whether `from` or `number` of a request names this number, by its phone or the network's id. Without a name, any does. */
export function isNamed(
  { phoneNumberId, displayPhoneNumber }: ConnectedNumber,
  name: string | null | undefined,
): boolean {
  if (!name) return true;
  if (name === phoneNumberId) return true;
  return name.startsWith('+') && displayPhoneNumber?.replace(/\D/g, '') === name.slice(1);
}
