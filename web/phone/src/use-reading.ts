import { type RefObject, useEffect, useSyncExternalStore } from 'react';
import { showProblem } from '../../parts/toasts.tsx';
import { readChat } from './network.ts';
import { markUnread, useSettings } from './settings.ts';

/**
 * Whether a person is reading the open chat. Loading the page with the address of a phone is not reading: the
 * messages that wait there stay unread until a person opens the chat or uses it.
 */
let isReading = false;
const listeners = new Set<() => void>();

function setReading(next: boolean): void {
  isReading = next;
  for (const listener of listeners) listener();
}

/** Notes that a person has opened a chat. */
export const startReading = () => setReading(true);

/** Notes that the open chat must stay unread until a person opens it again. */
export const stopReading = () => setReading(false);

addEventListener('hashchange', startReading);

type OpenChat = { phone: string; numberId: string; isOn: boolean; unread: number };

/**
 * Reports the messages of the open chat as read while a person reads it.
 *
 * @param pane the conversation, whose use counts as reading
 */
export function useReading(
  pane: RefObject<HTMLElement | null>,
  { phone, numberId, isOn, unread }: OpenChat,
): void {
  const isRead = useSyncExternalStore(subscribe, () => isReading && !document.hidden);
  const { readsOnOpen } = useSettings();

  useEffect(() => {
    const element = pane.current;
    element?.addEventListener('pointerdown', startReading);
    element?.addEventListener('keydown', startReading);
    return () => {
      element?.removeEventListener('pointerdown', startReading);
      element?.removeEventListener('keydown', startReading);
    };
  }, [pane]);

  useEffect(() => {
    if (!isRead) return;
    markUnread(phone, false);
    if (unread > 0 && isOn && readsOnOpen) readChat(phone, numberId).catch(showProblem);
  }, [isRead, phone, numberId, isOn, unread, readsOnOpen]);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    listeners.delete(listener);
    document.removeEventListener('visibilitychange', listener);
  };
}
