import { type Json, list, record, storable, string } from '../json.ts';
import { type IdentityLink, readIdentity, readPhone, readUserId } from './read-identities.ts';
import type { InboundContent } from './read-inbound.ts';
import { isNetworkId, readContent, readTime } from './read-inbound.ts';

/**
 * A message that the network reports because its number is also in the WhatsApp Business app: one that staff wrote
 * there, or one of the time before the number was connected.
 */
export type AppMessage = {
  networkId: string;
  direction: 'in' | 'out';
  /** Of the other person: E.164, or `user:` and a user id. */
  identity: string;
  at: Date;
  kind: string;
  content: InboundContent;
  status: 'received' | 'sent' | 'delivered' | 'read' | 'failed';
  /** From before the number was connected. */
  isPast: boolean;
};

/** A contact of the app's address book. */
export type AppContact = {
  phone: string | null;
  userId: string | null;
  username: string | null;
  name: string;
};

/** Reads the field `smb_message_echoes`: what staff wrote in the app or on a linked device. */
export function readEchoes(value: Json, isPast = false): AppMessage[] {
  return list(value.message_echoes).flatMap((echo) => {
    const message = record(echo);
    const identity = readIdentity(message?.to, message?.to_user_id);
    return readMessage(message, { identity, direction: 'out', status: 'sent', isPast });
  });
}

const pastStatuses = new Map<unknown, AppMessage['status']>([
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['PLAYED', 'read'],
  ['ERROR', 'failed'],
]);

/** Reads the field `history`: conversations of up to 180 days, and the files of the last 14 in later callbacks. */
export function readHistory(value: Json): AppMessage[] {
  const own = readPhone(string(record(value.metadata)?.display_phone_number)?.replace(/\D/g, ''));
  const threads = list(value.history).flatMap((chunk) => list(record(chunk)?.threads));
  const messages = threads.map(record).flatMap((thread) =>
    list(thread?.messages).flatMap((each) => {
      const message = record(each);
      const isOwn =
        message?.to !== undefined ||
        message?.to_user_id !== undefined ||
        readPhone(message?.from) === own;
      const identity = isOwn
        ? (readIdentity(message?.to, message?.to_user_id) ?? readIdentity(thread?.id))
        : (readIdentity(thread?.id) ?? readIdentity(message?.from, message?.from_user_id));
      const reported = pastStatuses.get(record(message?.history_context)?.status) ?? 'sent';
      return readMessage(message, {
        identity,
        direction: isOwn ? 'out' : 'in',
        status: isOwn ? reported : 'received',
        isPast: true,
      });
    }),
  );
  const files = list(value.messages).flatMap((each) => {
    const message = record(each);
    const identity = readIdentity(message?.from, message?.from_user_id);
    return readMessage(message, { identity, direction: 'in', status: 'received', isPast: true });
  });
  return [...messages, ...files, ...readEchoes(value, true)];
}

/** Reads the field `smb_app_state_sync`. Contacts that were removed in the app stay here. */
export function readAppContacts(value: Json): { contacts: AppContact[]; links: IdentityLink[] } {
  const contacts = list(value.state_sync).flatMap((each): AppContact[] => {
    const entry = record(each);
    const contact = record(entry?.contact);
    if (entry?.type !== 'contact' || entry.action !== 'add' || !contact) return [];
    const phone = readPhone(string(contact.phone_number)?.replace(/[^\d+]/g, '')) ?? null;
    const userId = readUserId(contact.user_id) ?? null;
    const username = string(contact.username)?.slice(0, 64) ?? null;
    if (!phone && !userId) return [];
    const name = string(contact.full_name) ?? string(contact.first_name) ?? '';
    return [
      {
        phone,
        userId,
        username: username && storable(username),
        name: oneLine(name) || (phone ?? userId!),
      },
    ];
  });
  const links = contacts.flatMap(({ phone, userId }) =>
    phone && userId ? [{ earlier: `user:${userId}`, later: phone }] : [],
  );
  return { contacts, links };
}

function oneLine(text: string): string {
  return storable(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 255)
    .toWellFormed();
}

function readMessage(
  message: Json | undefined,
  {
    identity,
    ...rest
  }: Pick<AppMessage, 'direction' | 'status' | 'isPast'> & { identity: string | undefined },
): AppMessage[] {
  if (!message || !isNetworkId(message.id) || !identity) return [];
  const type = string(message.type) ?? '';
  const kind = /^[a-z][a-z0-9_]{0,31}$/.test(type) ? type : 'unsupported';
  const content = readContent(kind, message);
  return [
    { ...rest, networkId: message.id, identity, at: readTime(message.timestamp), kind, content },
  ];
}
