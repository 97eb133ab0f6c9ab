import { formatAgo, formatExactTime } from '../../texts/format.ts';
import { useTime } from '../behaviour/use-time.ts';
import { Tip } from '../overlays/tip.tsx';

/**
 * How long ago, with the exact time as its tip; it goes on while the page is open.
 *
 * @param isDue it is still to come: when its time has passed, it is not said to be over
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
