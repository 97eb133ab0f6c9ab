import { useEffect, useReducer } from 'react';

/** A timer can be a little early by the clock. */
const marginMs = 20;

/**
 * Whether a time is in the future. The component is drawn again when it is reached.
 *
 * @param time ISO 8601, at most 24 days ahead
 */
export function useIsAhead(time: string | null): boolean {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const leftMs = msUntil(time);
    if (leftMs <= 0) return;
    const timer = setTimeout(draw, leftMs + marginMs);
    return () => clearTimeout(timer);
  }, [time]);
  return msUntil(time) > 0;
}

function msUntil(time: string | null): number {
  return time === null ? 0 : Date.parse(time) - Date.now();
}
