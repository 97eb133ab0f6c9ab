/** A conversation is with a phone, or with `user:` and the network's id of a person whose phone is hidden. */
const userPrefix = 'user:';

/** The phone or the user id, as sends take it and people see it. */
export function recipientOf(identity: string): string {
  return identity.startsWith(userPrefix) ? identity.slice(userPrefix.length) : identity;
}

/** Whether the network has named the person, so that a message can be sent. */
export function canWriteTo(identity: string): boolean {
  return (
    identity.startsWith('+') ||
    /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/.test(recipientOf(identity))
  );
}

/** The identity under which a contact's conversation is found. */
export function identityOf(contact: { phone: string | null; user_id: string | null }): string {
  return contact.phone ?? `${userPrefix}${contact.user_id}`;
}
