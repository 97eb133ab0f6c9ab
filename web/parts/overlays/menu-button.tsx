import { type ReactElement, type ReactNode, type RefObject, useId } from 'react';
import { type OpenerProps, useOpener } from './use-opener.ts';

/** The values that a menu needs from the button that opens it. */
export type MenuProps = {
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/**
 * A button with a menu.
 *
 * @param load loads the module that has the menu
 * @param menu draws the menu, with `Menu` of `menu.tsx`
 */
export function MenuButton<Module extends object>({
  load,
  menu,
  children: drawButton,
}: {
  load: () => Promise<Module>;
  menu: (module: Module, props: MenuProps) => ReactNode;
  children: (props: OpenerProps & { id: string }) => ReactElement;
}) {
  const id = useId();
  const { button, props, loaded, isOpen, setIsOpen } = useOpener(load, 'menu');
  return (
    <span className="relative block">
      {drawButton({ id, ...props })}
      {loaded && menu(loaded, { button, isOpen, onOpenChange: setIsOpen })}
    </span>
  );
}
