import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Keeps what a person types before the palette is there, whose code may still be on its way. Otherwise the letters would
 * go to the page below: into a message, or to the shortcuts.
 *
 * @param onLeave is called if the person presses Escape meanwhile
 * @returns what was typed
 */
export function useTypedAhead(isAwaited: boolean, onLeave: () => void): string {
  const [typed, setTyped] = useState('');
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (key.length === 1) setTyped((typed) => typed + key);
    else if (key === 'Backspace') setTyped((typed) => typed.slice(0, -1));
    else if (key === 'Escape') onLeave();
    else if (key !== 'Enter') return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useEffect(() => {
    if (!isAwaited) return;
    setTyped('');
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [isAwaited]);
  return typed;
}
