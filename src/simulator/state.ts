import { EventEmitter } from 'node:events';
import { newSecret } from './ids.ts';
import type { Chat, ChatMessage, Phone, SimulatedNumber, Template } from './types.ts';

// A demo or a test looks at recent messages; a load test must not fill the memory.
const messagesPerChat = 1_000;
const messagesInAll = 50_000;
const chatsInAll = 10_000;

/** All that the network knows. One process, in memory; `state-file.ts` keeps it over a restart. */
export interface SimulatorState {
  numbers: Map<string, SimulatedNumber>;
  /** By business account id. */
  templates: Map<string, Template[]>;
  phones: Map<string, Phone>;
  /** The one written to last is the last. */
  chats: Map<string, Chat>;
  messages: Map<string, ChatMessage>;
  /** What the phone in the browser and the state file listen to. */
  changes: EventEmitter<StateChanges>;
}

/** What the phone in the browser shows. */
interface ShownChanges {
  message: [ChatMessage];
  status: [ChatMessage];
  phone: [Phone];
  number: [string];
  cleared: [];
}

interface StateChanges extends ShownChanges {
  /** Follows every one of the above, and whatever else is to be kept over a restart. */
  any: [];
}

export function createState(): SimulatorState {
  const changes = new EventEmitter<StateChanges>();
  changes.setMaxListeners(0);
  return {
    numbers: new Map(),
    templates: new Map(),
    phones: new Map(),
    chats: new Map(),
    messages: new Map(),
    changes,
  };
}

/** Tells of a change that the phone in the browser shows; it is kept over a restart, too. */
export function tellChange<Kind extends keyof ShownChanges>(
  { changes }: SimulatorState,
  kind: Kind,
  ...about: ShownChanges[Kind]
): void {
  (changes as EventEmitter).emit(kind, ...about);
  changes.emit('any');
}

/** The phone of these digits; a new one is switched on. */
export function phoneOf(state: SimulatorState, digits: string): Phone {
  const known = state.phones.get(digits);
  if (known) return known;
  const phone: Phone = {
    phone: digits,
    name: `+${digits}`,
    user_id: `US.${newSecret(8)}`,
    on: true,
  };
  state.phones.set(digits, phone);
  tellChange(state, 'phone', phone);
  return phone;
}

export function chatOf(state: SimulatorState, numberId: string, phone: string): Chat {
  const key = `${numberId}:${phone}`;
  const known = state.chats.get(key);
  if (known) return known;
  const chat: Chat = { phone_number_id: numberId, phone, messages: [], last_inbound_at: null };
  state.chats.set(key, chat);
  if (state.chats.size > chatsInAll) forgetQuietest(state);
  return chat;
}

/** Adds a message to its chat; the oldest ones give way when there are too many. */
export function recordMessage(state: SimulatorState, message: ChatMessage): void {
  phoneOf(state, message.phone);
  const chat = chatOf(state, message.phone_number_id, message.phone);
  const key = `${message.phone_number_id}:${message.phone}`;
  state.chats.delete(key);
  state.chats.set(key, chat);
  chat.messages.push(message);
  state.messages.set(message.wamid, message);
  if (chat.messages.length > messagesPerChat) {
    const oldest = chat.messages.shift();
    if (oldest) state.messages.delete(oldest.wamid);
  }
  if (state.messages.size > messagesInAll) forgetOldest(state);
  tellChange(state, 'message', message);
}

// A Map keeps the order of insertion, so its first entry is the oldest message of all, and that
// is also the first of its chat.
function forgetOldest(state: SimulatorState): void {
  for (const [wamid, message] of state.messages) {
    state.messages.delete(wamid);
    chatOf(state, message.phone_number_id, message.phone).messages.shift();
    return;
  }
}

/** A phone goes with its last chat; one that never had a chat stays. */
function forgetQuietest(state: SimulatorState): void {
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
  tellChange(state, 'cleared');
}
