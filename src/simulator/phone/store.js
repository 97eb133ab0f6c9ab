import { call, follow } from './network.js';

/** The state of the page. Views read it and are notified of changes through `subscribe`. */
export const store = {
  /** @type {Map<string, {phone: string, name: string, on: boolean, unread: number}>} */
  phones: new Map(),
  /** @type {Map<string, {phone_number_id: string, display_phone_number: string, verified_name: string}>} */
  numbers: new Map(),
  /** Chats of the selected phone, by phone number id. */
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
  // Subscribe first, so that no change is missed while the page loads.
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
  const { data, missed } = await load('/simulator/phones');
  const { phones, numbers } = data;
  store.phones = new Map(phones.map((phone) => [phone.phone, phone]));
  store.numbers = new Map(numbers.map((number) => [number.phone_number_id, number]));
  if (store.phone && !store.phones.has(store.phone)) store.phone = null;
  applyEach(missed);
  if (store.phone) await loadChats();
  changed('all');
}

async function loadChats() {
  const { phone } = store;
  const { data, missed } = await load(`/simulator/phones/${phone}/chats`);
  // Another phone was selected meanwhile.
  if (store.phone !== phone) return;
  store.chats = new Map(data.chats.map((chat) => [chat.phone_number_id, chat]));
  applyEach(missed);
}

/** For each request in progress, the changes since it was sent. */
const loads = new Set();

/**
 * Requests data that replaces a part of the state.
 *
 * @returns the data, and the changes since the request, which must be applied again because the data may
 *   be older
 */
async function load(path) {
  const missed = [];
  loads.add(missed);
  try {
    return { data: await call('GET', path), missed };
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

/** Marks the open chat as read if its phone is on and `readsOnOpen` is set. */
export async function readOpenChat() {
  const unread = visibleMessages(currentChat()).some(isUnread);
  const phone = store.phones.get(store.phone);
  if (!unread || !phone?.on || !store.readsOnOpen || document.hidden) return;
  await call('POST', `/simulator/phones/${store.phone}/read`, { phone_number_id: store.numberId });
}

export function currentChat() {
  return store.chats.get(store.numberId) ?? null;
}

/** Lists the messages that reached the phone, and failed ones as a note to the tester. */
export function visibleMessages(chat) {
  return (chat?.messages ?? []).filter(
    (message) =>
      message.type !== 'reaction' &&
      (message.direction === 'inbound' || ['delivered', 'read', 'failed'].includes(message.status)),
  );
}

/** Counts the messages that wait for a phone that is off. */
export function waitingCount(chat) {
  return (chat?.messages ?? []).filter(
    (message) => message.direction === 'outbound' && ['accepted', 'sent'].includes(message.status),
  ).length;
}

export function isUnread(message) {
  return message.direction === 'outbound' && message.status === 'delivered';
}

/** Lists the chats, the one with the latest message first. */
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
  // While the page loads, `start` selects the phone.
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

/** Refreshes the unread counts of other phones, with a delay because they change often under load. */
function refreshPhonesSoon() {
  if (refreshing) return;
  refreshing = true;
  setTimeout(async () => {
    refreshing = false;
    const { data, missed } = await load('/simulator/phones');
    store.phones = new Map(data.phones.map((phone) => [phone.phone, phone]));
    applyEach(missed);
    changed('phone');
  }, 300);
}
