import { Tooltip } from 'radix-ui';
import { type ReactElement, useState } from 'react';

const delayMs = 300;

/** A `Tip` whose code is loaded. */
export function TipBubble({
  words,
  opensByPress = false,
  children,
}: {
  words: string;
  opensByPress?: boolean;
  children: ReactElement;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Tooltip.Provider delayDuration={delayMs}>
      <Tooltip.Root open={isOpen} onOpenChange={setIsOpen}>
        <Tooltip.Trigger
          asChild
          {...(opensByPress && {
            // Radix closes a tip when it is pressed.
            onPointerDown: (event) => event.preventDefault(),
            onClick: (event) => {
              event.preventDefault();
              setIsOpen(true);
            },
          })}
        >
          {children}
        </Tooltip.Trigger>
        {/* Everything that is read belongs to a landmark. */}
        <Tooltip.Portal container={document.querySelector('main')}>
          <Tooltip.Content
            sideOffset={4}
            collisionPadding={8}
            className="z-[60] max-w-80 whitespace-pre-line rounded-lg bg-ink px-2.5 py-1.5 text-sm text-page shadow-pop print:hidden"
          >
            {words}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
