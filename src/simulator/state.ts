import { EventEmitter } from 'node:events';
import { newUserId } from './ids.ts';
import type {
  App,
  Chat,
  ChatMessage,
  Phone,
  SimulatedNumber,
  Subscription,
  Template,
} from './types.ts';

// Demos and tests need only recent messages, and a load test must not fill the memory.
const maxMessagesPerChat = 1_000;
const maxMessages = 50_000;
const maxChats = 10_000;

/** The state of the network, in the memory of one process. `state-file.ts` saves it across restarts. */
export type SimulatorState = {
  numbers: Map<string, SimulatedNumber>;
  /** By business account id. */
  templates: Map<string, Template[]>;
  apps: Map<string, App>;
  /** By the ids of account and app. */
  subscriptions: Map<string, Subscription>;
  phones: Map<string, Phone>;
  /** In order of the latest message. */
  chats: Map<string, Chat>;
  messages: Map<string, ChatMessage>;
  /** Events for the phone in the browser and the state file. */
  changes: EventEmitter<StateChanges>;
};

/** Changes that the phone in the browser shows. */
type VisibleChanges = {
  message: [ChatMessage];
  status: [ChatMessage];
  phone: [Phone];
  typing: [Pick<ChatMessage, 'phone' | 'phone_number_id'>];
  number: [string];
  cleared: [];
};

type StateChanges = VisibleChanges & {
  /** The phone in the browser shows the rules of `behaviours`, which are not saved. */
  behaviour: [];
  /** Emitted after each of the above and after every other change that the state file saves. */
  any: [];
};

export function createState(): SimulatorState {
  const changes = new EventEmitter<StateChanges>();
  changes.setMaxListeners(0);
  return {
    numbers: new Map(),
    templates: new Map(),
    apps: new Map(),
    subscriptions: new Map(),
    phones: new Map(),
    chats: new Map(),
    messages: new Map(),
    changes,
  };
}

/** Emits a change that the phone in the browser shows and the state file saves. */
export function emitChange<Kind extends keyof VisibleChanges>(
  { changes }: SimulatorState,
  kind: Kind,
  ...args: VisibleChanges[Kind]
): void {
  (changes as EventEmitter).emit(kind, ...args);
  changes.emit('any');
}

/** Finds the phone with these digits, or adds it, switched on. */
export function phoneOf(state: SimulatorState, digits: string): Phone {
  const known = state.phones.get(digits);
  if (known) return known;
  const phone: Phone = {
    phone: digits,
    name: `+${digits}`,
    user_id: newUserId(digits),
    on: true,
    username: null,
    hidden: false,
  };
  state.phones.set(digits, phone);
  emitChange(state, 'phone', phone);
  return phone;
}

/** Finds the phone with a user id. */
export function phoneOfUser(state: SimulatorState, userId: string): Phone | undefined {
  for (const phone of state.phones.values()) if (phone.user_id === userId) return phone;
  return undefined;
}

export function chatOf(state: SimulatorState, numberId: string, phone: string): Chat {
  const key = `${numberId}:${phone}`;
  const known = state.chats.get(key);
  if (known) return known;
  const chat: Chat = { phone_number_id: numberId, phone, messages: [], last_inbound_at: null };
  state.chats.set(key, chat);
  if (state.chats.size > maxChats) deleteOldestChat(state);
  return chat;
}

/** Adds a message to its chat. Deletes the oldest messages beyond the limits. */
export function recordMessage(state: SimulatorState, message: ChatMessage): void {
  phoneOf(state, message.phone);
  const chat = chatOf(state, message.phone_number_id, message.phone);
  const key = `${message.phone_number_id}:${message.phone}`;
  state.chats.delete(key);
  state.chats.set(key, chat);
  chat.messages.push(message);
  state.messages.set(message.wamid, message);
  if (chat.messages.length > maxMessagesPerChat) {
    const oldest = chat.messages.shift();
    if (oldest) state.messages.delete(oldest.wamid);
  }
  if (state.messages.size > maxMessages) deleteOldestMessage(state);
  emitChange(state, 'message', message);
}

/** Marks an inbound message as delivered: the receiver of the callbacks has accepted it. */
export function markDelivered(state: SimulatorState, wamid: string): void {
  const message = state.messages.get(wamid);
  if (message?.direction !== 'inbound' || message.status !== 'sent') return;
  message.status = 'delivered';
  message.statuses.push({ status: 'delivered', at: Date.now() });
  emitChange(state, 'status', message);
}

// A Map keeps insertion order, so its first entry is the oldest message of all chats and the first
// of its own.
function deleteOldestMessage(state: SimulatorState): void {
  for (const [wamid, message] of state.messages) {
    state.messages.delete(wamid);
    chatOf(state, message.phone_number_id, message.phone).messages.shift();
    return;
  }
}

/** Deletes the oldest chat, and its phone if that has no other chat. */
function deleteOldestChat(state: SimulatorState): void {
  for (const [key, { phone, messages }] of state.chats) {
    state.chats.delete(key);
    for (const { wamid } of messages) state.messages.delete(wamid);
    const others = [...state.numbers.keys()].some((id) => state.chats.has(`${id}:${phone}`));
    if (!others) state.phones.delete(phone);
    return;
  }
}

export function clearMessages(state: SimulatorState): void {
  state.messages.clear();
  state.chats.clear();
  emitChange(state, 'cleared');
}
