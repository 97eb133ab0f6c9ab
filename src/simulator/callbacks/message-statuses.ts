import { failsAfterSent, statusError } from '../graph/graph-errors.ts';
import { isToUser } from '../graph/messages/is-to-user.ts';
import type { Knobs } from '../knobs.ts';
import type { Network } from '../network.ts';
import { emitChange, type SimulatorState } from '../state.ts';
import type { ChatMessage, JsonObject, MessageStatus, Update } from '../types.ts';
import { knowsPhone } from './knows-phone.ts';

const defaultStepMs = 150;

/**
 * Starts the statuses of an accepted message: sent, then delivered and perhaps read; or failed, at once or after sent.
 */
export function startStatuses(network: Network, message: ChatMessage, knobs: Knobs): void {
  // Nothing is stored or reported, so skip the timers for load tests.
  if (knobs.record === false && knobs.callbacks === false) return;
  setImmediate(() => {
    const { error } = message;
    if (error && !failsAfterSent(error.code)) {
      setStatus(network, message, 'failed', knobs);
      return;
    }
    setStatus(network, message, 'sent', knobs);
    network.later(knobs.stepMs ?? defaultStepMs, () => deliver(network, message, knobs));
  });
}

/** Delivers a message to its phone, unless that is switched off or the message is to fail. */
function deliver(network: Network, message: ChatMessage, knobs: Knobs): void {
  if (message.status !== 'sent') return;
  if (message.error) {
    setStatus(network, message, 'failed', knobs);
    return;
  }
  if (network.state.phones.get(message.phone)?.on === false) return;
  setStatus(network, message, 'delivered', knobs);
  if (!knobs.autoRead) return;
  network.later(knobs.stepMs ?? defaultStepMs, () => {
    if (message.status === 'delivered') setStatus(network, message, 'read', knobs);
  });
}

/** Marks all delivered messages of a chat as read by the phone, and returns their number. */
export function readChat(network: Network, numberId: string, phone: string): number {
  const chat = network.state.chats.get(`${numberId}:${phone}`);
  if (!chat || network.state.phones.get(phone)?.on === false) return 0;
  const knobs = network.behaviours.peek(numberId, phone);
  const unread = chat.messages.filter(
    ({ direction, status }) => direction === 'outbound' && status === 'delivered',
  );
  for (const message of unread) setStatus(network, message, 'read', knobs);
  return unread.length;
}

/** Plays a voice message of the business, which also reads it. Returns false for any other message, or if it was played. */
export function playMessage(network: Network, phone: string, wamid: string): boolean {
  const { state, behaviours } = network;
  const message = state.messages.get(wamid);
  const { voice } = (message?.payload.audio ?? {}) as JsonObject;
  if (message?.phone !== phone || message.direction !== 'outbound' || voice !== true) return false;
  if (message.status !== 'delivered' && message.status !== 'read') return false;
  const knobs = behaviours.peek(message.phone_number_id, phone);
  if (message.status === 'delivered') setStatus(network, message, 'read', knobs);
  setStatus(network, message, 'played', knobs);
  return true;
}

/** Switches a phone on or off. Delivers waiting messages when it is switched on. */
export function switchPhone(network: Network, phone: string, on: boolean): void {
  const { state } = network;
  const known = state.phones.get(phone);
  if (!known || known.on === on) return;
  known.on = on;
  emitChange(state, 'phone', known);
  if (on) deliverWaiting(network, phone);
}

/** Delivers waiting messages to one phone or, after a restart, to all. */
export function deliverWaiting(network: Network, phone?: string): void {
  for (const chat of network.state.chats.values()) {
    if (phone !== undefined && chat.phone !== phone) continue;
    const knobs = network.behaviours.peek(chat.phone_number_id, chat.phone);
    for (const message of chat.messages) {
      if (message.direction === 'outbound') deliver(network, message, knobs);
    }
  }
}

function setStatus(
  network: Network,
  message: ChatMessage,
  status: MessageStatus,
  knobs: Knobs,
): void {
  const at = Date.now();
  message.status = status;
  message.statuses.push({ status, at });
  if (knobs.record !== false) emitChange(network.state, 'status', message);
  if (status === 'delivered' && knobs.skipDelivered) return;
  // For a reaction, the network reports only that it was sent.
  if (message.type === 'reaction' && (status === 'delivered' || status === 'read')) return;
  const update = {
    phone_number_id: message.phone_number_id,
    kind: 'status' as const,
    content: statusContent(network, message, status, at),
    ...contactOf(network, message, status),
  };
  network.outbox.add(update, knobs.disorder ? outOfOrder(status, knobs) : knobs);
}

// The later a status, the shorter the delay of its callback.
function outOfOrder(status: MessageStatus, knobs: Knobs): Knobs {
  const stepMs = Math.max(knobs.stepMs ?? defaultStepMs, 30);
  const steps = status === 'sent' ? 4 : status === 'delivered' ? 2 : 0;
  return { ...knobs, callbackDelayMs: (knobs.callbackDelayMs ?? 0) + steps * stepMs };
}

/** The recipient, which the network names with a message that did not fail; the username only once it has arrived. */
function contactOf(
  { state }: Network,
  message: ChatMessage,
  status: MessageStatus,
): Pick<Update, 'contact'> {
  const { phone } = message;
  const known = state.phones.get(phone);
  if (status === 'failed' || !known) return {};
  const { name, username, user_id } = known;
  return {
    contact: {
      ...(username && status !== 'sent' && { profile: { name, username } }),
      ...(namesPhone(state, message, status) && { wa_id: phone }),
      user_id,
    },
  };
}

/** Whether the network names the phone in a status. It names the recipient of a failed message as the sender did. */
function namesPhone(state: SimulatorState, message: ChatMessage, status: MessageStatus): boolean {
  if (!isToUser(message.payload)) return true;
  return status !== 'failed' && knowsPhone(state, message.phone_number_id, message.phone);
}

function statusContent(
  { state }: Network,
  message: ChatMessage,
  status: MessageStatus,
  at: number,
): JsonObject {
  const tracked = message.payload.biz_opaque_callback_data;
  const userId = state.phones.get(message.phone)?.user_id;
  const priced = status === 'sent' || status === 'delivered';
  return {
    id: message.wamid,
    status,
    timestamp: String(Math.floor(at / 1000)),
    ...(namesPhone(state, message, status) && { recipient_id: message.phone }),
    ...(isToUser(message.payload)
      ? { recipient_user_id: message.payload.recipient }
      : userId && status !== 'failed' && { recipient_user_id: userId }),
    ...(typeof tracked === 'string' && { biz_opaque_callback_data: tracked }),
    ...(priced && pricingOf(message, status)),
    ...(status === 'failed' && { errors: [message.error ?? statusError(131000)] }),
  };
}

const freeEntryMs = 72 * 60 * 60 * 1000;

/** The price of a message, as it is on the statuses sent and delivered. */
function pricingOf({ category, price = {}, at }: ChatMessage, status: MessageStatus): JsonObject {
  const type = price.type ?? (category === undefined ? 'free_customer_service' : 'regular');
  const pricing = {
    billable: type === 'regular',
    pricing_model: 'PMP',
    category: price.category ?? category?.toLowerCase() ?? 'service',
    type,
  };
  if (!price.conversation) return { pricing };
  const conversation = {
    id: price.conversation,
    ...(status === 'sent' && {
      expiration_timestamp: String(Math.floor((at + freeEntryMs) / 1000)),
    }),
    origin: { type: 'referral_conversion' },
  };
  return { conversation, pricing };
}
