import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deliverWaiting } from './callbacks/message-statuses.ts';
import type { StoredMedia } from './media.ts';
import type { Network } from './network.ts';
import { newNumberValues } from './numbers.ts';
import { chatOf } from './state.ts';
import { keyOf, subscribeByHand } from './subscriptions.ts';
import type {
  App,
  Chat,
  ChatMessage,
  Phone,
  SimulatedNumber,
  Subscription,
  Template,
  Update,
} from './types.ts';

const saveDelayMs = 500;
/** A save is followed by a rest of this many times its duration, because everything else in the process waits for it. */
const restPerSave = 50;
// Enough for a demo. The history of a load test need not be saved.
const maxSavedPerChat = 200;
const maxSaved = 2_000;

type Saved = {
  version: 1;
  numbers: SimulatedNumber[];
  templates: [string, Template[]][];
  /** Missing in files of earlier versions. */
  apps?: App[];
  subscriptions?: Subscription[];
  phones: Phone[];
  chats: Omit<Chat, 'messages'>[];
  /** In order of arrival. */
  messages: ChatMessage[];
  media: StoredMedia[];
  /** Callbacks that their receiver has not accepted yet. */
  callbacks: Update[];
};

/**
 * Loads the state file if it exists, and saves to it soon after every change; less often if the state is large. An
 * unreadable file is renamed, not overwritten.
 *
 * @returns stops saving and writes the file one last time
 */
export function persistState(network: Network, file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  load(network, file);
  let timer: NodeJS.Timeout | null = null;
  let writing = false;
  let delayMs = saveDelayMs;
  const temporary = `${file}.new`;

  function save(): void {
    timer = null;
    if (writing) {
      scheduleSave();
      return;
    }
    writing = true;
    const startedAt = performance.now();
    const text = JSON.stringify(snapshot(network));
    delayMs = Math.max(saveDelayMs, restPerSave * (performance.now() - startedAt));
    writeFile(temporary, text, { mode: 0o600 })
      .then(() => rename(temporary, file))
      .catch((error) => network.log('could not write the state file', { error: String(error) }))
      .finally(() => {
        writing = false;
      });
  }
  function scheduleSave(): void {
    timer ??= setTimeout(save, delayMs).unref();
  }
  network.state.changes.on('any', scheduleSave);

  return () => {
    network.state.changes.off('any', scheduleSave);
    if (timer) clearTimeout(timer);
    // A separate temporary name, because an earlier write may still be in progress.
    writeFileSync(`${temporary}.last`, JSON.stringify(snapshot(network)), { mode: 0o600 });
    renameSync(`${temporary}.last`, file);
  };
}

function snapshot(network: Network): Saved {
  const { state, media, outbox } = network;
  const recent = new Set<ChatMessage>();
  for (const chat of state.chats.values()) {
    for (const message of chat.messages.slice(-maxSavedPerChat)) recent.add(message);
  }
  return {
    version: 1,
    numbers: [...state.numbers.values()],
    templates: [...state.templates],
    apps: [...state.apps.values()],
    subscriptions: [...state.subscriptions.values()],
    phones: [...state.phones.values()],
    chats: [...state.chats.values()].map(({ messages: _, ...chat }) => chat),
    messages: [...state.messages.values()].filter((one) => recent.has(one)).slice(-maxSaved),
    media: media.list(),
    callbacks: outbox.pending(),
  };
}

function load(network: Network, file: string): void {
  if (!existsSync(file)) return;
  const saved = read(file);
  if (!saved) {
    renameSync(file, `${file}.unreadable`);
    network.log('could not read the state file and renamed it', { file });
    return;
  }
  const { state } = network;
  for (const number of saved.numbers) {
    // A file of an earlier version does not have all values.
    state.numbers.set(number.phone_number_id, {
      ...newNumberValues(),
      ...number,
      limits: { ...network.newLimits, ...number.limits },
    });
  }
  for (const app of saved.apps ?? []) state.apps.set(app.id, app);
  for (const one of saved.subscriptions ?? []) state.subscriptions.set(keyOf(one), one);
  // Before there were subscriptions, the callback URL of a number was all that it needed.
  if (!saved.subscriptions)
    for (const number of state.numbers.values()) subscribeByHand(state, number);
  for (const [account, templates] of saved.templates) state.templates.set(account, templates);
  for (const phone of saved.phones) {
    // A file of an earlier version has no usernames.
    state.phones.set(phone.phone, {
      ...phone,
      username: phone.username ?? null,
      hidden: phone.hidden ?? false,
    });
  }
  for (const chat of saved.chats)
    Object.assign(chatOf(state, chat.phone_number_id, chat.phone), chat);
  for (const message of saved.messages) {
    state.messages.set(message.wamid, message);
    chatOf(state, message.phone_number_id, message.phone).messages.push(message);
  }
  network.media.restore(saved.media);
  for (const update of saved.callbacks) network.outbox.add(withField(update), {});
  // Continue deliveries that the shutdown interrupted.
  network.later(0, () => deliverWaiting(network));
}

/** Files of earlier versions have a kind of its own for the changes of templates, without their field. */
function withField(update: Update | (Omit<Update, 'kind'> & { kind: 'template' })): Update {
  return update.kind === 'template'
    ? { ...update, kind: 'change', field: 'message_template_status_update' }
    : update;
}

function read(file: string): Saved | null {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Saved;
    return saved.version === 1 ? saved : null;
  } catch {
    return null;
  }
}
