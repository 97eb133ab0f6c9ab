import { useSyncExternalStore } from 'react';
import type {
  BusinessNumber,
  Change,
  Chat,
  PhoneSummary,
  RuleRequest,
} from '../../../src/simulator/types.ts';
import { withMessage } from './chat/chats.ts';
import { fetchBehaviours, fetchChats, fetchPhones, follow } from './network.ts';

/** The state of the page: what the simulator has, kept up to date by its events. */
export type State = {
  isLoaded: boolean;
  isOnline: boolean;
  phones: ReadonlyMap<string, PhoneSummary>;
  numbers: ReadonlyMap<string, BusinessNumber>;
  rules: RuleRequest[];
  /** The open phone. */
  phone: string | null;
  /** Its chats, by the id of the number. */
  chats: ReadonlyMap<string, Chat>;
  /** Whether all its chats are loaded. Messages that arrive before are in `chats` already. */
  hasChats: boolean;
  /** The numbers that are typing to it. */
  typing: ReadonlySet<string>;
};

/** The network shows a typing indicator no longer than this. */
const maxTypingMs = 25_000;

let state: State = {
  isLoaded: false,
  isOnline: true,
  phones: new Map(),
  numbers: new Map(),
  rules: [],
  phone: null,
  chats: new Map(),
  hasChats: false,
  typing: new Set(),
};
const listeners = new Set<() => void>();

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useStore(): State {
  return useSyncExternalStore(subscribe, () => state);
}

/** Loads everything. Subscribes to changes first, so that none is missed meanwhile. */
export async function start(): Promise<void> {
  await new Promise<void>((resolve) => {
    follow(apply, (isOnline) => {
      if (isOnline && !state.isOnline) void reload();
      change({ isOnline });
      resolve();
    });
  });
  await reload();
}

async function reload(): Promise<void> {
  const { data, missed } = await load(() => Promise.all([fetchPhones(), fetchBehaviours()]));
  const [{ phones, numbers }, { behaviours: rules }] = data;
  change({
    isLoaded: true,
    phones: new Map(phones.map((phone) => [phone.phone, phone])),
    numbers: new Map(numbers.map((number) => [number.phone_number_id, number])),
    rules,
  });
  applyEach(missed);
  if (state.phone) await openPhone(state.phone);
}

/** Loads the chats of a phone, or of none. */
export async function openPhone(phone: string | null): Promise<void> {
  if (state.phone !== phone) {
    change({ phone, chats: new Map(), hasChats: false, typing: new Set() });
  }
  if (!phone || !state.phones.has(phone)) return;
  const { data, missed } = await load(() => fetchChats(phone));
  // Another phone was opened meanwhile.
  if (state.phone !== phone) return;
  change({
    chats: new Map(data.chats.map((chat) => [chat.phone_number_id, chat])),
    hasChats: true,
  });
  applyEach(missed);
}

/** For each request in progress, the changes since it was sent. */
const loads = new Set<Change[]>();

/**
 * Requests data that replaces a part of the state.
 *
 * @returns the data, and the changes since the request, which must be applied again because the data may be older
 */
async function load<Data>(fetchData: () => Promise<Data>) {
  const missed: Change[] = [];
  loads.add(missed);
  try {
    return { data: await fetchData(), missed };
  } finally {
    loads.delete(missed);
  }
}

function apply(changes: Change[]): void {
  for (const missed of loads) missed.push(...changes);
  if (changes.some(({ kind }) => kind === 'reload')) void reload();
  applyEach(changes);
}

function applyEach(changes: Change[]): void {
  const phones = new Map(state.phones);
  const chats = new Map(state.chats);
  const typing = new Set(state.typing);
  let { rules } = state;
  for (const each of changes) {
    if (each.kind === 'phone') phones.set(each.phone.phone, each.phone);
    if (each.kind === 'message' && each.message.phone === state.phone) {
      const { phone_number_id: numberId, direction } = each.message;
      chats.set(numberId, withMessage(chats.get(numberId), each.message));
      if (direction === 'outbound') typing.delete(numberId);
    }
    if (each.kind === 'behaviour') rules = each.rules;
    if (each.kind === 'typing' && each.phone === state.phone) {
      typing.add(each.phone_number_id);
      setTimeout(() => stopTyping(each.phone_number_id), maxTypingMs);
    }
  }
  change({ phones, chats, typing, rules });
}

function stopTyping(numberId: string): void {
  const typing = new Set(state.typing);
  if (typing.delete(numberId)) change({ typing });
}
