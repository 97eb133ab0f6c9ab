import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end is at the end. */
const nearPx = 40;

/**
 * Keeps a list of messages where it is read: at its end while that is in sight, also when pictures
 * become larger as they load, and else at the message that is seen, also when older ones come above.
 *
 * @param firstId the oldest message that is shown; nothing is until the first are loaded
 * @param lastId the newest
 * @returns `hasNew`: messages came below what is seen
 */
export function usePlace(firstId: number | undefined, lastId: number | undefined) {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const place = useRef({ isAtEnd: true, fromEndPx: 0, heightPx: 0, seenPx: 0 });
  const before = useRef({ firstId, lastId });
  const [hasNew, setHasNew] = useState(false);
  const isLoaded = firstId !== undefined;

  function note() {
    if (!log.current) return;
    const { scrollHeight: heightPx, clientHeight: seenPx, scrollTop } = log.current;
    const fromEndPx = heightPx - scrollTop;
    place.current = { isAtEnd: fromEndPx - seenPx < nearPx, fromEndPx, heightPx, seenPx };
    if (place.current.isAtEnd) setHasNew(false);
  }

  // Scrolls are told of late, also those of `toEnd`. Where more has come meanwhile, the place is not
  // where somebody went, and what observes the size is about to act.
  function onScroll() {
    const { heightPx, seenPx } = place.current;
    if (log.current?.scrollHeight === heightPx && log.current.clientHeight === seenPx) note();
  }

  function toEnd() {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls reads nothing that changes
  useLayoutEffect(() => {
    const cameAbove = firstId !== undefined && firstId < (before.current.firstId ?? 0);
    const cameBelow = lastId !== undefined && lastId > (before.current.lastId ?? 0);
    before.current = { firstId, lastId };
    if (!log.current) return;
    if (cameBelow && !place.current.isAtEnd) setHasNew(true);
    // Nothing may change in size when a message comes: as many lines can leave at the top.
    if (place.current.isAtEnd) toEnd();
    // A browser does so by itself, but not from the very top, which is where older ones are asked for.
    else if (cameAbove) log.current.scrollTop = log.current.scrollHeight - place.current.fromEndPx;
  }, [firstId, lastId]);

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

  return { log, content, onScroll, toEnd, hasNew };
}
