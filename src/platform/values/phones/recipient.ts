import { Type } from 'typebox';
import { doc } from '../../http/field-schema.ts';
import { Phone } from './phone.ts';

const userId = '[A-Z]{2}\\.(?:ENT\\.)?[A-Za-z0-9]{1,128}';
const isUserIdOnly = new RegExp(`^${userId}$`);

/** The recipient of a send: a phone, or the network's user id of a person whose phone it hides. */
export const Recipient = Type.String({
  ...Phone,
  pattern: `^(?:\\+[1-9][0-9]{1,14}|${userId})$`,
  ...doc(
    'Phone number with country code: a leading +, then digits only. Or the network’s user id of a person whose phone it hides.',
    '+14155550123',
    'US.13491208655302741918',
  ),
});

/** Whether a text has the form of the network's user ids, so that a message can be sent to it. */
export function isUserId(text: string): boolean {
  return isUserIdOnly.test(text);
}

const userPrefix = 'user:';

/**
 * An identity of a person is a phone in E.164, or `user:` and the network's user id. This makes it from a
 * {@link Recipient}.
 */
export function identityOf(recipient: string): string {
  return recipient.startsWith('+') ? recipient : `${userPrefix}${recipient}`;
}

/** The user id of an identity; undefined if it is a phone. */
export function userIdOf(identity: string): string | undefined {
  return identity.startsWith(userPrefix) ? identity.slice(userPrefix.length) : undefined;
}

/** Whether an identity is a phone. */
export function isPhone(identity: string): boolean {
  return identity.startsWith('+');
}

/** Turns an identity back into a {@link Recipient}. */
export function recipientOf(identity: string): string {
  return userIdOf(identity) ?? identity;
}
