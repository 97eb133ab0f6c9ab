import { useSyncExternalStore } from 'react';
import { formatAgo, formatDateTime } from '../texts/format.ts';
import { Tip } from './tip.tsx';

const stepMs = 30_000;

function subscribe(listener: () => void) {
  const timer = setInterval(listener, stepMs);
  return () => clearInterval(timer);
}

/**
 * How long ago, with the exact time as its tip; it goes on while the page is open.
 *
 * @param isDue it is still to come: when its time has passed, it is not said to be over
 */
export function Ago({ at, isDue = false }: { at: string; isDue?: boolean }) {
  useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMs));
  const now = Date.now();
  return (
    <Tip words={formatDateTime(at)}>
      <time dateTime={at}>
        {formatAgo(at, isDue ? Math.min(now, new Date(at).getTime() - 1) : now)}
      </time>
    </Tip>
  );
}
