import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { isRightToLeft } from '../behaviour/is-right-to-left.ts';
import type { MenuProps } from './menu-button.tsx';
import { menuPanel } from './menu-look.ts';

/** The menu of a `MenuButton`. */
export function Menu({
  button,
  isOpen,
  onOpenChange,
  side = 'bottom',
  children,
}: MenuProps & { side?: 'top' | 'bottom'; children: ReactNode }) {
  return (
    <DropdownMenu.Root
      open={isOpen}
      onOpenChange={onOpenChange}
      modal={false}
      dir={isRightToLeft() ? 'rtl' : 'ltr'}
    >
      <DropdownMenu.Trigger asChild>
        {/* Covers the button, which exists before this code is loaded and keeps the focus. */}
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </DropdownMenu.Trigger>
      {/* Everything that is read belongs to a landmark or a dialog. */}
      <DropdownMenu.Portal
        container={button.current?.closest<HTMLElement>('[role=dialog], main, header')}
      >
        <DropdownMenu.Content
          aria-labelledby={button.current?.id}
          align="start"
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={menuPanel}
          // A press of the button closes the menu already.
          onPointerDownOutside={(event) =>
            button.current?.contains(event.target as Node) && event.preventDefault()
          }
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            button.current?.focus();
          }}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
