import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { IconButton } from '../parts/buttons/button.tsx';
import { Popover } from '../parts/overlays/popover.tsx';

/**
 * A button that offers emojis.
 *
 * @param label names the button
 * @param choose names what it opens
 * @param chosen the emoji that is shown as pressed
 * @param look of each emoji
 */
export function EmojiPopover({
  icon: Icon,
  label,
  choose = label,
  emojis,
  chosen,
  look,
  onPick,
  ...popover
}: {
  icon: LucideIcon;
  label: string;
  choose?: string;
  emojis: readonly string[];
  chosen?: string | undefined;
  look: string;
  onPick: (emoji: string) => void;
} & Pick<ComponentProps<typeof Popover>, 'className' | 'side' | 'align' | 'onCloseAutoFocus'>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      trigger={
        <IconButton label={label} className="rounded-full">
          <Icon className="size-5" aria-hidden />
        </IconButton>
      }
      label={choose}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      {...popover}
    >
      {emojis.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-label={emoji}
          aria-pressed={emoji === chosen || undefined}
          className={`grid place-items-center text-xl hover:bg-accent-soft aria-pressed:bg-accent-soft ${look}`}
          onClick={() => {
            setIsOpen(false);
            onPick(emoji);
          }}
        >
          {emoji}
        </button>
      ))}
    </Popover>
  );
}
