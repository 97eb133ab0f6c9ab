import { Smile } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../parts/button.tsx';
import { Popover } from '../../parts/popover.tsx';
import { phone as t } from '../../texts/phone.ts';

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
    <Popover
      trigger={
        <IconButton label={t('emoji')} className="rounded-full">
          <Smile className="size-5" aria-hidden />
        </IconButton>
      }
      label={t('emoji')}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      side="top"
      align="start"
      className="grid grid-cols-8 rounded-xl p-1.5"
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
    </Popover>
  );
}
