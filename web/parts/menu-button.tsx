import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react';
import { useLoaded } from './use-loaded.ts';

/** The values that a menu needs from the button that opens it. */
export type MenuProps = {
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

type ButtonProps = {
  ref: RefObject<HTMLButtonElement | null>;
  id: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onClick: () => void;
  onFocus: () => void;
  onPointerEnter: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/**
 * A button with a menu, whose code is loaded when the pointer or the focus reaches the button.
 *
 * @param load loads the module that has the menu
 * @param menu draws the menu, with `Menu` of `menu.tsx`
 */
export function MenuButton<Module extends object>({
  load: loadMenu,
  menu,
  children: button,
}: {
  load: () => Promise<Module>;
  menu: (module: Module, props: MenuProps) => ReactNode;
  children: (props: ButtonProps) => ReactElement;
}) {
  const ref = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { loaded, load, preload } = useLoaded(loadMenu);
  function change(next: boolean) {
    if (next) load();
    setIsOpen(next);
  }
  return (
    <span className="relative block">
      {button({
        ref,
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen && loaded !== undefined,
        onClick: () => change(!isOpen),
        onFocus: preload,
        onPointerEnter: preload,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          change(true);
        },
      })}
      {loaded && menu(loaded, { button: ref, isOpen, onOpenChange: setIsOpen })}
    </span>
  );
}
