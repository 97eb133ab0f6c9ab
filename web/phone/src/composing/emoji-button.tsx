import { Smile } from 'lucide-react';
import { EmojiPopover } from '../../../message/emoji-popover.tsx';
import { phone as t } from '../../../texts/phone.ts';

const emojis = [
  ...['😀', '😂', '😊', '😍', '😘', '😎', '🤔', '😮'],
  ...['😢', '😭', '😡', '🥳', '😴', '🤗', '🙈', '🤷'],
  ...['👍', '👎', '👋', '👏', '🙏', '💪', '🤝', '👌'],
  ...['❤️', '💔', '🔥', '✨', '🎉', '🎁', '💐', '☕'],
  ...['📦', '🚚', '🛒', '💳', '📷', '📍', '⏰', '✅'],
];

/** Inserts an emoji into the message. */
export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  return (
    <EmojiPopover
      icon={Smile}
      label={t('emoji')}
      emojis={emojis}
      side="top"
      align="start"
      className="grid grid-cols-8 rounded-xl p-1.5"
      look="size-9 rounded-lg"
      // The field gets the focus instead.
      onCloseAutoFocus={(event) => event.preventDefault()}
      onPick={onPick}
    />
  );
}
