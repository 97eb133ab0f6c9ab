import { isUserId } from '../../platform/values/phones/recipient.ts';
import { type Json, list, record, storable, string } from '../json.ts';

/**
 * Two identities of one person, each a phone in E.164 or `user:` and a user id, as the network attests. `later` is
 * the phone if one of them is a phone, otherwise the newer one.
 */
export type IdentityLink = { earlier: string; later: string };

/** Reads a phone that the network writes as digits, with or without a +. */
export function readPhone(value: unknown): string | undefined {
  const digits = typeof value === 'string' ? value.replace(/^\+/, '') : '';
  return /^[1-9]\d{4,14}$/.test(digits) ? `+${digits}` : undefined;
}

/** Reads a user id to which a message can be sent. */
export function readUserId(value: unknown): string | undefined {
  return typeof value === 'string' && isUserId(value) ? value : undefined;
}

/** Reads a username: 3 to 35 letters, digits, dots and underscores so far. */
export function readUsername(contact: Json | undefined): string | undefined {
  const username = string(record(contact?.profile)?.username);
  const name = username && storable(username).replace(/^@/, '');
  return name && /^[^\s\p{Cc}]{1,64}$/u.test(name) ? name : undefined;
}

/** Finds what a message proves about its sender, besides that the phone and the user id belong together. */
export function readLinks(
  message: Json,
  sender: { phone: string | undefined; userId: string | undefined },
): IdentityLink[] {
  const identity = sender.phone ?? (sender.userId && `user:${sender.userId}`);
  if (message.type === 'contacts') return identity ? answeredRequest(message, identity) : [];
  if (message.type === 'system') return changed(record(message.system) ?? {}, identity);
  return [];
}

/**
 * The person tapped the button of a `request_contact_info`, so the phone is the person's own. A card that was shared
 * by hand can be anyone's.
 */
function answeredRequest(message: Json, identity: string): IdentityLink[] {
  const [card] = list(message.contacts).map(record);
  if (card?.origin !== 'contact_request') return [];
  const [shared] = list(card.phones).map(record);
  // A phone that the network shows needs no request.
  if (identity.startsWith('+')) return [];
  const phone =
    readPhone(shared?.wa_id) ?? readPhone(string(shared?.phone)?.replace(/[^\d+]/g, ''));
  return phone && phone !== identity ? [{ earlier: identity, later: phone }] : [];
}

/** A new phone or user id. The callback has no `contacts`, and maybe no sender. */
function changed(system: Json, identity: string | undefined): IdentityLink[] {
  const later = newIdentity(system);
  if (!later) return [];
  // A sender that the network names is attested. The text is only read if there is none.
  const isSenderKnown = identity !== undefined && identity !== later;
  if (system.type === 'user_changed_number') {
    const earlier = isSenderKnown ? identity : earlierIdentity(system);
    return earlier && earlier !== later ? [{ earlier, later }] : [];
  }
  const phone = isSenderKnown && identity.startsWith('+') ? identity : undefined;
  const earlier = isSenderKnown && !phone ? identity : earlierIdentity(system);
  return [
    ...(earlier && earlier !== later ? [{ earlier, later }] : []),
    ...(phone ? [{ earlier: later, later: phone }] : []),
  ];
}

/** Reads the phone that a person has from now on, if a message reports that the phone changed. */
export function newPhoneOf(message: Json): string | undefined {
  const system = message.type === 'system' ? record(message.system) : undefined;
  return system?.type === 'user_changed_number' ? newIdentity(system) : undefined;
}

/** Reads the identity that a person has from now on; undefined if the message is not about a change of it. */
function newIdentity(system: Json): string | undefined {
  if (system.type === 'user_changed_number')
    return readPhone(system.wa_id) ?? readPhone(system.new_wa_id);
  if (system.type !== 'user_changed_user_id') return undefined;
  const userId = readUserId(system.user_id);
  return userId && `user:${userId}`;
}

/**
 * Reads the identity that a person had before, which only the text names: `User Ana changed from OLD to NEW`. Ana chose
 * the name, so only the end of the text is the network's own, and it must name the new identity too.
 */
function earlierIdentity(system: Json): string | undefined {
  const [, was, is] = / changed from (\S+) to (\S+)$/.exec(string(system.body) ?? '') ?? [];
  const identity = readIdentity(was);
  return identity !== undefined && readIdentity(is) === newIdentity(system) ? identity : undefined;
}

/** Reads an identity from a phone, or from a user id if there is none. The network names some people by either. */
export function readIdentity(phone: unknown, userId: unknown = phone): string | undefined {
  const user = readUserId(userId);
  return readPhone(phone) ?? (user && `user:${user}`);
}

/** Reads the entries of the field `user_id_update`, which says the same as such a message. */
export function readUserIdUpdate(update: Json | undefined): IdentityLink[] {
  const ids = record(update?.user_id);
  const [previous, current] = [readUserId(ids?.previous), readUserId(ids?.current)];
  const phone = readPhone(update?.wa_id);
  return [
    ...(previous && current && previous !== current
      ? [{ earlier: `user:${previous}`, later: `user:${current}` }]
      : []),
    ...(current && phone ? [{ earlier: `user:${current}`, later: phone }] : []),
  ];
}

/**
 * Finds the sender of a system message that does not name one: the identity that changed. Undefined if it is not
 * known.
 */
export function senderOfChange(message: Json): string | undefined {
  return message.type === 'system' ? earlierIdentity(record(message.system) ?? {}) : undefined;
}
