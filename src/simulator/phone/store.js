import { call, follow } from './network.js';

/** What the page knows. Views read it and are told by `subscribe` when it changes. */
export const store = {
  /** @type {Map<string, {phone: string, name: string, on: boolean, unread: number}>} */
  phones: new Map(),
  /** @type {Map<string, {phone_number_id: string, display_phone_number: string, verified_name: string}>} */
  numbers: new Map(),
  /** Chats of the chosen phone, by phone number id. */
  chats: new Map(),
  phone: null,
  numberId: null,
  online: true,
  loaded: false,
  readsOnOpen: localStorage.getItem('reads-on-open') !== 'no',
  replyTo: null,
};

const listeners = new Set();

export function subscribe(listener) {
  listeners.add(listener);
}

/** @param {string} part what changed: all, list, message, phone, reply or online */
export function changed(part, detail) {
  for (const listener of listeners) listener(part, detail);
}

export async function start() {
  // Listen first: what happens while the page loads must not be missed.
  await new Promise((resolve) => {
    follow(apply, (online) => {
      if (online && !store.online) void reload();
      store.online = online;
      changed('online');
      resolve();
    });
  });
  await reload();
  store.loaded = true;
  const wanted = new URLSearchParams(location.hash.slice(1));
  const remembered = wanted.get('phone') ?? localStorage.getItem('phone');
  const first = store.phones.has(remembered) ? remembered : store.phones.keys().next().value;
  if (first) await choosePhone(first, wanted.get('number'));
  else changed('all');
}

async function reload() {
  const { answer, missed } = await load('/simulator/phones');
  const { phones, numbers } = answer;
  store.phones = new Map(phones.map((phone) => [phone.phone, phone]));
  store.numbers = new Map(numbers.map((number) => [number.phone_number_id, number]));
  if (store.phone && !store.phones.has(store.phone)) store.phone = null;
  applyEach(missed);
  if (store.phone) await loadChats();
  changed('all');
}

async function loadChats() {
  const { phone } = store;
  const { answer, missed } = await load(`/simulator/phones/${phone}/chats`);
  // Another one was chosen meanwhile.
  if (store.phone !== phone) return;
  store.chats = new Map(answer.chats.map((chat) => [chat.phone_number_id, chat]));
  applyEach(missed);
}

/** For each answer under way, what changed since it was asked for. */
const loads = new Set();

/**
 * Gets something that replaces what the page knows.
 *
 * @returns also what changed meanwhile: the answer may be older than that, so it is applied again
 */
async function load(path) {
  const missed = [];
  loads.add(missed);
  try {
    return { answer: await call('GET', path), missed };
  } finally {
    loads.delete(missed);
  }
}

export async function choosePhone(phone, numberId = null) {
  store.phone = phone;
  store.replyTo = null;
  localStorage.setItem('phone', phone);
  await loadChats();
  const latest = sortedChats()[0]?.phone_number_id ?? null;
  store.numberId = store.numbers.has(numberId) ? numberId : latest;
  changed('all');
}

export function chooseChat(numberId) {
  store.numberId = numberId;
  store.replyTo = null;
  changed('all');
}

export function replyTo(message) {
  store.replyTo = message;
  changed('reply');
}

/** Reads the open chat, when its phone is on and the owner has not forbidden it. */
export async function readOpenChat() {
  const unread = visibleMessages(currentChat()).some(isUnread);
  const phone = store.phones.get(store.phone);
  if (!unread || !phone?.on || !store.readsOnOpen || document.hidden) return;
  await call('POST', `/simulator/phones/${store.phone}/read`, { phone_number_id: store.numberId });
}

export function currentChat() {
  return store.chats.get(store.numberId) ?? null;
}

/** What has reached the phone. A message that failed is shown too, as a note to the tester. */
export function visibleMessages(chat) {
  return (chat?.messages ?? []).filter(
    (message) =>
      message.type !== 'reaction' &&
      (message.direction === 'inbound' || ['delivered', 'read', 'failed'].includes(message.status)),
  );
}

/** How many messages wait for a phone that is off. */
export function waitingCount(chat) {
  return (chat?.messages ?? []).filter(
    (message) => message.direction === 'outbound' && ['accepted', 'sent'].includes(message.status),
  ).length;
}

export function isUnread(message) {
  return message.direction === 'outbound' && message.status === 'delivered';
}

/** Chats with the latest message first; numbers without a chat follow, so that one can begin. */
export function sortedChats() {
  return [...store.chats.values()].sort((a, b) => lastAt(b) - lastAt(a));
}

function lastAt(chat) {
  return visibleMessages(chat).at(-1)?.at ?? 0;
}

function apply(changes) {
  for (const missed of loads) missed.push(...changes);
  if (changes.some(({ kind }) => kind === 'reload')) void reload();
  applyEach(changes);
}

function applyEach(changes) {
  for (const { kind, phone, message } of changes) {
    if (kind === 'phone') applyPhone(phone);
    if (kind === 'message') applyMessage(message);
  }
}

function applyPhone(phone) {
  const known = store.phones.get(phone.phone);
  store.phones.set(phone.phone, { unread: 0, ...known, ...phone });
  // While the page loads, the choice is for `start` to make.
  if (!store.phone && store.loaded) void choosePhone(phone.phone);
  else changed('phone');
}

function applyMessage(message) {
  if (message.phone !== store.phone) {
    refreshPhonesSoon();
    return;
  }
  let chat = store.chats.get(message.phone_number_id);
  if (!chat) {
    chat = { phone_number_id: message.phone_number_id, phone: message.phone, messages: [] };
    store.chats.set(message.phone_number_id, chat);
  }
  const at = chat.messages.findIndex((one) => one.wamid === message.wamid);
  if (at >= 0) chat.messages[at] = message;
  else chat.messages.push(message);
  if (!store.numberId) chooseChat(message.phone_number_id);
  const phone = store.phones.get(store.phone);
  phone.unread = [...store.chats.values()].flatMap(visibleMessages).filter(isUnread).length;
  changed('message', message);
}

let refreshing = false;

/** Another phone's unread count changed; under load that is often, so not at once. */
function refreshPhonesSoon() {
  if (refreshing) return;
  refreshing = true;
  setTimeout(async () => {
    refreshing = false;
    const { answer, missed } = await load('/simulator/phones');
    store.phones = new Map(answer.phones.map((phone) => [phone.phone, phone]));
    applyEach(missed);
    changed('phone');
  }, 300);
}
