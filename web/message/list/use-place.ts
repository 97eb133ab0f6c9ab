import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** A distance from the end that counts as the end. */
const nearPx = 40;

/**
 * Keeps the place in a list of messages. While its end is visible, the end stays visible, also when images grow
 * as they load. Otherwise the visible message stays, also when older messages are added above.
 *
 * @param first grows from message to message: the id or the time of the oldest one shown; undefined until the
 *   first messages are loaded
 * @param last the same of the newest message
 * @returns `hasNew`: messages were added below the visible ones
 */
export function usePlace(first: number | undefined, last: number | undefined) {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const place = useRef({ isAtEnd: true, fromEndPx: 0, heightPx: 0, seenPx: 0 });
  const before = useRef({ first, last });
  const [hasNew, setHasNew] = useState(false);
  const isLoaded = first !== undefined;

  function note() {
    if (!log.current) return;
    const { scrollHeight: heightPx, clientHeight: seenPx, scrollTop } = log.current;
    const fromEndPx = heightPx - scrollTop;
    place.current = { isAtEnd: fromEndPx - seenPx < nearPx, fromEndPx, heightPx, seenPx };
    if (place.current.isAtEnd) setHasNew(false);
  }

  // Scroll events come late, also those of `toEnd`. If the size has changed meanwhile, nobody scrolled here,
  // and the observer of the size is about to act.
  function onScroll() {
    const { heightPx, seenPx } = place.current;
    if (log.current?.scrollHeight === heightPx && log.current.clientHeight === seenPx) note();
  }

  function toEnd() {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read only refs
  useLayoutEffect(() => {
    const cameAbove = first !== undefined && first < (before.current.first ?? 0);
    const cameBelow = last !== undefined && last > (before.current.last ?? 0);
    before.current = { first, last };
    if (!log.current) return;
    if (cameBelow && !place.current.isAtEnd) setHasNew(true);
    // The size may stay the same when a message is added, if as many lines leave at the top.
    if (place.current.isAtEnd) toEnd();
    // A browser does this itself, but not at the very top, where older messages are requested.
    else if (cameAbove) log.current.scrollTop = log.current.scrollHeight - place.current.fromEndPx;
  }, [first, last]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read only refs
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
