import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Keeps what a person types before the palette is there, whose code may still be on its way. Otherwise the letters would
 * go to the page below: into a message, or to the shortcuts.
 *
 * @param onLeave is called if the person presses Escape meanwhile, or something on the page
 * @returns what was typed
 */
export function useTypedAhead(isAwaited: boolean, onLeave: () => void): string {
  const [typed, setTyped] = useState('');
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event;
    // Alt and AltGr, which Windows reports as Ctrl and Alt, write letters too.
    if (event.metaKey || (event.ctrlKey && !event.altKey) || event.isComposing) return;
    if (key.length === 1) setTyped((typed) => typed + key);
    else if (key === 'Backspace') setTyped((typed) => typed.slice(0, -1));
    else if (key === 'Escape') onLeave();
    else if (key !== 'Enter' && key !== 'Dead') return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!isAwaited) return;
    setTyped('');
    const awaited = new AbortController();
    const options = { capture: true, signal: awaited.signal };
    window.addEventListener('keydown', press, options);
    window.addEventListener('pointerdown', leave, options);
    return () => awaited.abort();
  }, [isAwaited]);
  return typed;
}
