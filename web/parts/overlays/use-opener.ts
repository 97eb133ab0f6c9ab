import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { useLoaded } from '../behaviour/use-loaded.ts';

/** The props of a button that opens something. */
export type OpenerProps = {
  ref: RefObject<HTMLButtonElement | null>;
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': boolean;
  onClick: () => void;
  onFocus: () => void;
  onPointerEnter: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/**
 * Opens something by a button or its arrow keys. The code for it is loaded when the pointer or the focus reaches the
 * button.
 *
 * @param loadModule loads the module that has what opens
 */
export function useOpener<Module extends object>(
  loadModule: () => Promise<Module>,
  kind: OpenerProps['aria-haspopup'],
) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const { loaded, load, preload } = useLoaded(loadModule);
  function change(next: boolean) {
    if (next) load(() => setIsOpen(false));
    setIsOpen(next);
  }
  const props: OpenerProps = {
    ref: button,
    'aria-haspopup': kind,
    'aria-expanded': isOpen && loaded !== undefined,
    onClick: () => change(!isOpen),
    onFocus: preload,
    onPointerEnter: preload,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      change(true);
    },
  };
  return { button, props, loaded, isOpen, setIsOpen };
}
