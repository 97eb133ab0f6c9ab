import { useSyncExternalStore } from 'react';
import { keep, kept } from '../../parts/behaviour/browser-storage.ts';

/** The settings of the page that this browser stores. */
export type Settings = {
  /** Whether a chat that a person opens is reported as read. */
  readsOnOpen: boolean;
  /** The phones that a person has marked as unread. */
  markedUnread: readonly string[];
};

const place = 'parley-phone';
let settings: Settings = { readsOnOpen: true, markedUnread: [], ...load() };
const listeners = new Set<() => void>();

export function useSettings(): Settings {
  return useSyncExternalStore(subscribe, () => settings);
}

export function changeSettings(changes: Partial<Settings>): void {
  settings = { ...settings, ...changes };
  keep('localStorage', place, JSON.stringify(settings));
  for (const listener of listeners) listener();
}

export function markUnread(phone: string, isUnread: boolean): void {
  const others = settings.markedUnread.filter((each) => each !== phone);
  if (!isUnread && others.length === settings.markedUnread.length) return;
  changeSettings({ markedUnread: isUnread ? [...others, phone] : others });
}

function load(): Partial<Settings> {
  try {
    return JSON.parse(kept('localStorage', place) ?? '{}');
  } catch {
    return {};
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
