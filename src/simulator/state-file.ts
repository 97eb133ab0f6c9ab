import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deliverWaiting } from './callbacks/message-statuses.ts';
import type { StoredMedia } from './media.ts';
import type { Network } from './network.ts';
import { chatOf } from './state.ts';
import type { Chat, ChatMessage, Phone, SimulatedNumber, Template, Update } from './types.ts';

const saveDelayMs = 500;
// Enough for a demo's memory; a load test's history is not worth writing down.
const messagesKeptPerChat = 200;
const messagesKept = 10_000;

interface Saved {
  version: 1;
  numbers: SimulatedNumber[];
  templates: [string, Template[]][];
  phones: Phone[];
  chats: Omit<Chat, 'messages'>[];
  /** In the order in which they came. */
  messages: ChatMessage[];
  media: StoredMedia[];
  /** Callbacks that their receiver has not taken. */
  callbacks: Update[];
}

/**
 * Loads the state file, when there is one, and saves to it soon after every change. Answers the
 * function that writes it a last time. A file that cannot be read is set aside, not overwritten.
 */
export function keepState(network: Network, file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  load(network, file);
  let timer: NodeJS.Timeout | null = null;
  let writing = false;
  const temporary = `${file}.new`;

  function save(): void {
    timer = null;
    if (writing) {
      later();
      return;
    }
    writing = true;
    writeFile(temporary, JSON.stringify(snapshot(network)), { mode: 0o600 })
      .then(() => rename(temporary, file))
      .catch((error) => network.log('the state file was not written', { error: String(error) }))
      .finally(() => {
        writing = false;
      });
  }
  function later(): void {
    timer ??= setTimeout(save, saveDelayMs).unref();
  }
  network.state.changes.on('any', later);

  return () => {
    network.state.changes.off('any', later);
    if (timer) clearTimeout(timer);
    // Its own temporary name: a write that began before may still be under way.
    writeFileSync(`${temporary}.last`, JSON.stringify(snapshot(network)), { mode: 0o600 });
    renameSync(`${temporary}.last`, file);
  };
}

function snapshot(network: Network): Saved {
  const { state, media, outbox } = network;
  const kept = new Set<ChatMessage>();
  for (const chat of state.chats.values()) {
    for (const message of chat.messages.slice(-messagesKeptPerChat)) kept.add(message);
  }
  return {
    version: 1,
    numbers: [...state.numbers.values()],
    templates: [...state.templates],
    phones: [...state.phones.values()],
    chats: [...state.chats.values()].map(({ messages: _, ...chat }) => chat),
    messages: [...state.messages.values()].filter((one) => kept.has(one)).slice(-messagesKept),
    media: media.list(),
    callbacks: outbox.pending(),
  };
}

function load(network: Network, file: string): void {
  if (!existsSync(file)) return;
  const saved = read(file);
  if (!saved) {
    renameSync(file, `${file}.unreadable`);
    network.log('the state file could not be read and was set aside', { file });
    return;
  }
  const { state } = network;
  for (const number of saved.numbers) state.numbers.set(number.phone_number_id, number);
  for (const [account, templates] of saved.templates) state.templates.set(account, templates);
  for (const phone of saved.phones) state.phones.set(phone.phone, phone);
  for (const chat of saved.chats)
    Object.assign(chatOf(state, chat.phone_number_id, chat.phone), chat);
  for (const message of saved.messages) {
    state.messages.set(message.wamid, message);
    chatOf(state, message.phone_number_id, message.phone).messages.push(message);
  }
  network.media.restore(saved.media);
  for (const update of saved.callbacks) network.outbox.add(update, {});
  // Deliveries that a stop interrupted go on.
  network.later(0, () => deliverWaiting(network));
}

function read(file: string): Saved | null {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Saved;
    return saved.version === 1 ? saved : null;
  } catch {
    return null;
  }
}
