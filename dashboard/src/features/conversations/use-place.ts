import { useEffect, useLayoutEffect, useRef } from 'react';

/** So near to the end is at the end. */
const nearPx = 40;

/**
 * Keeps a list of messages where it is read: at its end while that is in sight, also when pictures
 * become larger as they load, and else at the message that is seen, also when older ones come above.
 *
 * @param firstId the oldest message that is shown; nothing is until the first are loaded
 */
export function usePlace(firstId: number | undefined) {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const place = useRef({ isAtEnd: true, fromEndPx: 0 });
  const before = useRef(firstId);
  const isLoaded = firstId !== undefined;

  function note() {
    if (!log.current) return;
    const { scrollHeight, scrollTop, clientHeight } = log.current;
    const fromEndPx = scrollHeight - scrollTop;
    place.current = { isAtEnd: fromEndPx - clientHeight < nearPx, fromEndPx };
  }

  function toEnd() {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }

  // A browser does so by itself, but not from the very top, which is where older ones are asked for.
  useLayoutEffect(() => {
    const cameAbove = firstId !== undefined && firstId < (before.current ?? 0);
    before.current = firstId;
    if (!cameAbove || place.current.isAtEnd || !log.current) return;
    log.current.scrollTop = log.current.scrollHeight - place.current.fromEndPx;
  }, [firstId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls reads nothing that changes
  useEffect(() => {
    if (!isLoaded || !log.current || !content.current) return;
    const observer = new ResizeObserver(() => {
      if (place.current.isAtEnd) toEnd();
      note();
    });
    observer.observe(log.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [isLoaded]);

  return { log, content, note, toEnd };
}
