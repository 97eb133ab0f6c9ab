import { type RefObject, useEffect, useSyncExternalStore } from 'react';
import type { ChatMessage } from '../../../../src/simulator/types.ts';
import { showProblem } from '../../../parts/overlays/toasts.ts';
import { readAddress } from '../address.ts';
import { readChat } from '../network.ts';
import { markUnread, useSettings } from '../settings.ts';

/**
 * The phone whose chat a person is reading. Loading the page with the address of a phone is not reading: the
 * messages that wait there stay unread until a person opens the chat or uses it.
 */
let reading: string | null = null;
const listeners = new Set<() => void>();

/** Notes that a person has opened or uses a phone, or has left it. */
export function startReading(phone: string | null): void {
  reading = phone;
  for (const listener of listeners) listener();
}

addEventListener('hashchange', () => startReading(readAddress(location.hash).phone));

type OpenChat = { phone: string; numberId: string; isOn: boolean; unread: ChatMessage[] };

/**
 * Reports the messages of the open chat as read while a person reads it.
 *
 * @param pane the conversation, whose use counts as reading
 */
export function useReading(
  pane: RefObject<HTMLElement | null>,
  { phone, numberId, isOn, unread }: OpenChat,
): void {
  const isRead = useSyncExternalStore(subscribe, () => reading === phone && !document.hidden);
  const { readsOnOpen } = useSettings();
  // Their number can stay the same while one is read and another one arrives.
  const unreadIds = unread.map(({ wamid }) => wamid).join();

  useEffect(() => {
    const element = pane.current;
    const use = () => startReading(phone);
    element?.addEventListener('pointerdown', use);
    element?.addEventListener('keydown', use);
    return () => {
      element?.removeEventListener('pointerdown', use);
      element?.removeEventListener('keydown', use);
    };
  }, [pane, phone]);

  useEffect(() => {
    if (!isRead) return;
    markUnread(phone, false);
    if (unreadIds && isOn && readsOnOpen) readChat(phone, numberId).catch(showProblem);
  }, [isRead, phone, numberId, isOn, unreadIds, readsOnOpen]);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    listeners.delete(listener);
    document.removeEventListener('visibilitychange', listener);
  };
}
