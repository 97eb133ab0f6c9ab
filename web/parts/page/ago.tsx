import { formatAgo, formatExactTime } from '../../texts/format.ts';
import { useTime } from '../behaviour/use-time.ts';
import { Tip } from '../overlays/tip.tsx';

/**
 * Shows how long ago a time was, with the exact time as its tip. It is kept up to date while the page is open.
 *
 * @param isDue the time is expected, such as that of the next attempt, and is never shown as past
 */
export function Ago({ at, isDue = false }: { at: string; isDue?: boolean }) {
  useTime(() => Math.floor(Date.now() / 30_000));
  const now = Date.now();
  return (
    <Tip words={formatExactTime(at)}>
      <time dateTime={at}>
        {formatAgo(at, isDue ? Math.min(now, new Date(at).getTime() - 1) : now)}
      </time>
    </Tip>
  );
}
