import { Popover as Radix } from 'radix-ui';
import type { ComponentProps, ReactElement, ReactNode } from 'react';

/**
 * A button that opens a few controls beside it.
 *
 * @param trigger the button
 * @param label names what opens
 */
export function Popover({
  trigger,
  label,
  isOpen,
  onOpenChange,
  className = '',
  children,
  ...content
}: {
  trigger: ReactElement;
  label: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
} & Omit<ComponentProps<typeof Radix.Content>, 'aria-label' | 'sideOffset' | 'collisionPadding'>) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          sideOffset={4}
          collisionPadding={8}
          className={`rise z-50 border border-line bg-raised shadow-pop ${className}`}
          {...content}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
