import { Smile } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { IconButton } from '../../parts/button.tsx';
import { phone as texts } from '../../texts/phone.ts';

const emojis = [
  ...['😀', '😂', '😊', '😍', '😘', '😎', '🤔', '😮'],
  ...['😢', '😭', '😡', '🥳', '😴', '🤗', '🙈', '🤷'],
  ...['👍', '👎', '👋', '👏', '🙏', '💪', '🤝', '👌'],
  ...['❤️', '💔', '🔥', '✨', '🎉', '🎁', '💐', '☕'],
  ...['📦', '🚚', '🛒', '💳', '📷', '📍', '⏰', '✅'],
];

/** Inserts an emoji into the message. */
export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger asChild>
        <IconButton label={texts.emoji} className="rounded-full">
          <Smile className="size-5" aria-hidden />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={texts.emoji}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="rise z-50 grid grid-cols-8 rounded-xl border border-line bg-raised p-1.5 shadow-pop"
          // The field gets the focus instead.
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={emoji}
              className="grid size-9 place-items-center rounded-lg text-xl hover:bg-accent-soft"
              onClick={() => {
                setIsOpen(false);
                onPick(emoji);
              }}
            >
              {emoji}
            </button>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
