import { Reply, SmilePlus } from 'lucide-react';
import { IconButton } from '../parts/buttons/button.tsx';
import { message as t } from '../texts/message.ts';
import { EmojiPopover } from './emoji-popover.tsx';
import type { MessageHandlers } from './message-handlers.ts';
import type { MessageView } from './message-view.ts';

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

/** The buttons to react and reply beside a message, shown on hover and focus, and always on a narrow screen. */
export function MessageTools({ view, handlers }: { view: MessageView; handlers: MessageHandlers }) {
  const { onReact, onReply } = handlers;
  return (
    <div className="flex sm:absolute sm:start-full sm:top-0.5 sm:ps-1 sm:opacity-0 sm:transition-opacity sm:group-focus-within/message:opacity-100 sm:group-hover/message:opacity-100 sm:has-data-[state=open]:opacity-100 print:hidden">
      {onReact && <ReactButton view={view} onReact={onReact} />}
      {onReply && (
        <IconButton label={t('reply')} className="rounded-full" onClick={() => onReply(view.id)}>
          <Reply className="size-5" aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function ReactButton({
  view,
  onReact,
}: {
  view: MessageView;
  onReact: NonNullable<MessageHandlers['onReact']>;
}) {
  const chosen = view.reactions.find(({ isMine }) => isMine)?.emoji;
  return (
    <EmojiPopover
      icon={SmilePlus}
      label={t('react')}
      choose={t('reactWith')}
      emojis={emojis}
      chosen={chosen}
      className="flex rounded-full p-1"
      look="size-10 rounded-full"
      onPick={(emoji) => onReact(view.id, emoji === chosen ? '' : emoji)}
    />
  );
}
