import { nationalWaId } from '../graph/messages/wa-id.ts';
import { newUserId, newWamid } from '../ids.ts';
import type { Network } from '../network.ts';
import { chatOf, emitChange, phoneOf, recordMessage } from '../state.ts';
import type { ChatMessage, JsonObject, Phone, SimulatedNumber } from '../types.ts';
import { knowsPhone } from './knows-phone.ts';

/** A message from a phone. `content` is the object under the name of its type. */
export type InboundMessage = {
  from: string;
  type: string;
  content: unknown;
  profile_name?: string;
  /**
   * The context of the message: `id` and `from` of the message to which it replies, a product, or that it was forwarded.
   */
  context?: object;
  /**
   * Whether the network hides the phone and sends a user id instead. By default, it does if the person wants it and the
   * number does not know the phone.
   */
  hide_phone?: boolean;
  /** The advertisement that led to the message. */
  referral?: object;
  errors?: unknown[];
};

/** The context of a message that replies to another one. It names the author, unless that person hides the phone. */
export function contextOf(network: Network, number: SimulatedNumber, wamid: string): object {
  const message = network.state.messages.get(wamid);
  const from =
    message?.direction === 'inbound'
      ? message.payload.from
      : number.display_phone_number.replace(/\D/g, '');
  return { ...(from !== undefined && { from }), id: wamid };
}

/** Receives a message from a phone: adds it to the chat and reports it by callback. */
export function receiveInbound(
  network: Network,
  number: SimulatedNumber,
  inbound: InboundMessage,
): ChatMessage {
  const { state } = network;
  const now = Date.now();
  const numberId = number.phone_number_id;
  const knobs = network.behaviours.peek(numberId, inbound.from);
  const from = knobs.nationalWaIds ? nationalWaId(inbound.from) : inbound.from;
  const phone = phoneOf(state, from);
  if (inbound.profile_name) phone.name = inbound.profile_name;
  const wamid = newWamid(from);
  const isHidden = inbound.hide_phone ?? (phone.hidden && !knowsPhone(state, numberId, from));
  const sender = { ...(!isHidden && { from }), from_user_id: phone.user_id };
  const payload: JsonObject = {
    ...(inbound.context && { context: inbound.context }),
    ...sender,
    id: wamid,
    timestamp: String(Math.floor(now / 1000)),
    type: inbound.type,
    ...(inbound.content !== undefined && { [inbound.type]: inbound.content }),
    ...(inbound.referral && { referral: inbound.referral }),
    ...(inbound.errors && { errors: inbound.errors }),
  };
  const message: ChatMessage = {
    wamid,
    direction: 'inbound',
    phone_number_id: numberId,
    phone: from,
    at: now,
    type: inbound.type,
    payload,
    status: 'sent',
    statuses: [],
  };
  chatOf(state, numberId, from).last_inbound_at = now;
  network.limits.countInbound(number, now);
  if (knobs.record !== false) recordMessage(state, message);
  network.outbox.add(
    {
      phone_number_id: numberId,
      kind: 'message',
      content: payload,
      contact: {
        profile: { name: phone.name, ...(phone.username && { username: phone.username }) },
        ...(!isHidden && { wa_id: from }),
        user_id: phone.user_id,
      },
    },
    knobs,
  );
  return message;
}

/** Gives a phone a new user id and reports it, as the network does when the person changes the phone. */
export function changeUserId(network: Network, phone: Phone, numberId: string): string {
  const previous = phone.user_id;
  phone.user_id = newUserId(phone.phone);
  emitChange(network.state, 'phone', phone);
  network.outbox.add(
    {
      phone_number_id: numberId,
      kind: 'change',
      field: 'messages',
      // A system message has no `contacts`.
      content: {
        messages: [
          {
            id: newWamid(phone.phone),
            timestamp: String(Math.floor(Date.now() / 1000)),
            type: 'system',
            system: {
              type: 'user_changed_user_id',
              body: `User ${phone.name} changed from ${previous} to ${phone.user_id}`,
              user_id: phone.user_id,
            },
          },
        ],
      },
    },
    {},
  );
  return previous;
}

/** Marks an inbound message and the earlier ones of its chat as read by the business. */
export function markSeen(network: Network, numberId: string, wamid: string): boolean {
  const message = network.state.messages.get(wamid);
  if (message?.direction !== 'inbound' || message.phone_number_id !== numberId) return false;
  for (const earlier of chatOf(network.state, numberId, message.phone).messages) {
    if (earlier.direction === 'inbound' && !earlier.seen) {
      earlier.seen = true;
      emitChange(network.state, 'status', earlier);
    }
    if (earlier === message) break;
  }
  return true;
}

/** Shows the writer of an inbound message that the business is typing. */
export function startTyping({ state }: Network, wamid: string): void {
  const message = state.messages.get(wamid);
  if (message) emitChange(state, 'typing', message);
}
