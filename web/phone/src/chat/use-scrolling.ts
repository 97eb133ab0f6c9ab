import { useRef, useState } from 'react';

/** Scrolling has ended if there was no scroll event for this long. */
const pauseMs = 1_200;

/** Knows whether a list is being scrolled. */
export function useScrolling() {
  const [isScrolling, setIsScrolling] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  function note() {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsScrolling(false), pauseMs);
    setIsScrolling(true);
  }
  return { isScrolling, note };
}
