import { isVisible } from '../../platform/values/texts/name.ts';
import { integer, type Json, record, storable, storableJson, string } from '../json.ts';
import {
  type IdentityLink,
  newPhoneOf,
  readLinks,
  readPhone,
  readUserId,
  readUsername,
  senderOfChange,
} from './read-identities.ts';

/** A message that a person sent to one of our numbers. */
export type InboundMessage = {
  networkId: string;
  /**
   * E.164 with its `+`. If the network hides the phone: `user:` and its id of the user, or
   * `user:unknown` if it does not name the sender at all.
   */
  identity: string;
  /** The network's user id of the sender, whether or not it hides the phone. */
  userId?: string | undefined;
  username?: string | undefined;
  /** What the message proves about identities of the sender. */
  links?: IdentityLink[];
  /** The sender's own name on the network. */
  profileName: string | undefined;
  at: Date;
  /** The network's name of the type. The network adds types from time to time. */
  kind: string;
  content: InboundContent;
};

/**
 * The stored content of an inbound message.
 * - text: the text, the caption of a file or the title of a tapped button
 * - payload: the payload of the tapped button or list entry
 * - media_id: of an image, video, audio, document or sticker, to be fetched on demand
 * - reply_to: the network's id of the message that this one replies to
 * - referral: the advertisement that led the sender here
 * - referred_product: the product of the catalogue that the message is about
 * - forwarded, frequently_forwarded: whether the sender forwarded it
 * - everything else under the network's own name
 */
export type InboundContent = {
  text?: string;
  payload?: string;
  media_id?: string;
  mime_type?: string;
  filename?: string;
  voice?: boolean;
  reply_to?: string;
  [other: string]: unknown;
};

/**
 * The maximum size of a content as JSON; even hundreds of shared contacts have less. A tenant can
 * sign any content, and a page of a conversation with megabytes each would overload the process.
 */
const maxBytes = 128 * 1024;

/** Finds the sender of a message among the contacts of the callback. */
export type FindWriter = (from: string | undefined, userId: string | undefined) => Json | undefined;

/**
 * Reads an inbound message; undefined if it has no id, without which repeats cannot be recognised.
 */
export function readInbound(
  message: Json | undefined,
  findWriter: FindWriter,
): InboundMessage | undefined {
  const networkId = string(message?.id);
  if (!message || !networkId || !isNetworkId(networkId)) return undefined;
  const type = string(message.type) ?? '';
  const kind = /^[a-z][a-z0-9_]{0,31}$/.test(type) ? type : 'unsupported';
  const from = string(message.from);
  const userId = string(message.from_user_id) ?? string(message.user_id);
  const contact = findWriter(from, userId);
  const identity =
    from || userId || contact
      ? senderOf(from ?? string(contact?.wa_id), userId ?? string(contact?.user_id))
      : (senderOfChange(message) ?? senderOf(undefined, undefined));
  const sender = {
    phone: readPhone(identity),
    userId: readUserId(userId ?? contact?.user_id),
  };
  return {
    networkId,
    // A report of a new phone belongs to the conversation of that phone, not to that of the next owner of the old one.
    identity: (sender.phone && newPhoneOf(message)) ?? identity,
    userId: sender.userId,
    username: readUsername(contact),
    links: [
      ...(sender.phone && sender.userId
        ? [{ earlier: `user:${sender.userId}`, later: sender.phone }]
        : []),
      ...readLinks(message, sender),
    ],
    profileName: nameOf(contact),
    at: readTime(message.timestamp),
    kind,
    content: readContent(kind, message),
  };
}

/**
 * Whether the value can be the network's id of a message. So far it is always `wamid.` and base64.
 */
export function isNetworkId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,512}$/.test(value);
}

/** Reads a time in seconds since 1970; the current time if it is not valid. */
export function readTime(timestamp: unknown): Date {
  const seconds = integer(timestamp) ?? 0;
  return seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : new Date();
}

/**
 * Indexes the contacts of a callback, because it may have hundreds of thousands of contacts and
 * messages.
 */
export function writersOf(contacts: Json[]): FindWriter {
  const byPhone = new Map<unknown, Json>();
  const byUser = new Map<unknown, Json>();
  for (const contact of contacts) {
    if (!byPhone.has(contact.wa_id)) byPhone.set(contact.wa_id, contact);
    if (!byUser.has(contact.user_id)) byUser.set(contact.user_id, contact);
  }
  return (from, userId) => {
    if (!from && !userId) return contacts.length === 1 ? contacts[0] : undefined;
    return (from && byPhone.get(from)) || (userId && byUser.get(userId)) || undefined;
  };
}

function senderOf(from: string | undefined, userId: string | undefined): string {
  const phone = readPhone(from);
  if (phone) return phone;
  const user = userId ?? from ?? 'unknown';
  return `user:${storable(user.replace(/\s/g, '').slice(0, 200)) || 'unknown'}`;
}

function nameOf(contact: Json | undefined): string | undefined {
  const name = string(record(contact?.profile)?.name);
  const line =
    name &&
    storable(name)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
  return line && isVisible(line) ? line.slice(0, 255).toWellFormed() : undefined;
}

/** Reads the content of a message of a kind, in the form that is stored. */
export function readContent(kind: string, message: Json): InboundContent {
  const context = record(message.context);
  const replyTo = string(context?.id);
  const own = message[kind];
  const content: InboundContent = {
    ...readOwn(kind, record(own), own),
    ...(replyTo && { reply_to: replyTo }),
    ...(message.referral !== undefined && { referral: message.referral }),
    ...(record(context?.referred_product) && { referred_product: context?.referred_product }),
    ...(context?.forwarded === true && { forwarded: true }),
    ...(context?.frequently_forwarded === true && { frequently_forwarded: true }),
    ...(message.errors !== undefined && { errors: message.errors }),
  };
  return shorten(storableJson(content) as InboundContent);
}

/** Removes the long fields of a content that is longer than any real one. */
function shorten(content: InboundContent): InboundContent {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');
  if (bytesOf(content) <= maxBytes) return content;
  const fields = Object.entries(content);
  return Object.fromEntries(fields.filter(([, each]) => bytesOf(each) <= maxBytes / 16));
}

function readOwn(kind: string, own: Json | undefined, raw: unknown): InboundContent {
  switch (kind) {
    case 'text':
      return { text: string(own?.body) ?? '' };
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return {
        media_id: string(own?.id) ?? '',
        ...(string(own?.mime_type) && { mime_type: string(own?.mime_type) }),
        ...(string(own?.caption) && { text: string(own?.caption) }),
        ...(string(own?.filename) && { filename: string(own?.filename) }),
        ...(own?.voice === true && { voice: true }),
      };
    case 'button':
      return { text: string(own?.text) ?? '', payload: string(own?.payload) ?? '' };
    case 'interactive':
      return readInteractive(own ?? {});
    case 'system':
      return { text: string(own?.body) ?? '', system: own };
    default:
      return raw === undefined ? {} : { [kind]: raw };
  }
}

/** A tapped button, an entry chosen from a list, or a filled form. */
function readInteractive(own: Json): InboundContent {
  const reply = record(own.button_reply) ?? record(own.list_reply);
  const text = string(reply?.title) ?? string(record(own.nfm_reply)?.body);
  return {
    ...(text && { text }),
    ...(string(reply?.id) && { payload: string(reply?.id) }),
    interactive: own,
  };
}
