import { useSyncExternalStore } from 'react';

const stepMs = 30_000;

function subscribe(listener: () => void) {
  const timer = setInterval(listener, stepMs);
  return () => clearInterval(timer);
}

/**
 * Draws a component again when the time changes its text, such as “today” or “3 minutes ago”.
 *
 * @param read returns the part of the time that matters, and is called twice a minute
 */
export function useTime<Part extends string | number>(read: () => Part): Part {
  return useSyncExternalStore(subscribe, read);
}
