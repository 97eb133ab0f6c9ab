import { useSyncExternalStore } from 'react';

/** The open phone, and which of the businesses it chats with, if the address names one. */
export type Address = { phone: string | null; numberId: string | null };

/** The address of the list, with no phone open. */
export const listAddress = '#/';

const listeners = new Set<() => void>();

/** The address of a phone: `#/14155550101`, or with the number of a business `#/14155550101/109876543210`. */
export function addressOf(phone: string, numberId?: string): string {
  return numberId === undefined ? `#/${phone}` : `#/${phone}/${numberId}`;
}

export function useAddress(): Address {
  return readAddress(useSyncExternalStore(subscribe, () => location.hash));
}

export function readAddress(hash: string): Address {
  const [, phone = null, numberId = null] = /^#\/(\d+)(?:\/(\d+))?$/.exec(hash) ?? [];
  return { phone, numberId };
}

/** Completes the address without a new entry in the history. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  addEventListener('hashchange', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('hashchange', listener);
  };
}
