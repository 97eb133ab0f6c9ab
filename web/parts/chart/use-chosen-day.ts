import { type KeyboardEvent, type PointerEvent, useState } from 'react';

/**
 * The day whose figures a chart shows: the one below the mouse or the last touch, or the one chosen with the arrow
 * keys. Returns it with the handlers of the chart.
 */
export function useChosenDay(count: number) {
  const [chosen, setChosen] = useState<number>();

  function choose(index: number): void {
    setChosen(Math.min(count - 1, Math.max(0, index)));
  }

  function chooseAt({ clientX, currentTarget }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(Math.floor(((clientX - left) / width) * count));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const now = chosen ?? count - 1;
    const next: Record<string, number> = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      PageDown: now - 7,
      PageUp: now + 7,
      Home: 0,
      End: count - 1,
    };
    if (event.key === 'Escape') setChosen(undefined);
    if (next[event.key] === undefined) return;
    event.preventDefault();
    choose(next[event.key]!);
  }

  return {
    chosen: chosen !== undefined && chosen < count ? chosen : undefined,
    handlers: {
      onPointerDown: chooseAt,
      onPointerMove: chooseAt,
      // The figures stay after a touch.
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') setChosen(undefined);
      },
      onKeyDown,
      onFocus: ({ currentTarget }: { currentTarget: HTMLElement }) => {
        if (currentTarget.matches(':focus-visible')) choose(chosen ?? count - 1);
      },
      onBlur: () => setChosen(undefined),
    },
  };
}
