import { Reply, SmilePlus } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../parts/button.tsx';
import { Popover } from '../parts/popover.tsx';
import { message as t } from '../texts/message.ts';
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
  const [isOpen, setIsOpen] = useState(false);
  const chosen = view.reactions.find(({ isMine }) => isMine)?.emoji;
  return (
    <Popover
      trigger={
        <IconButton label={t('react')} className="rounded-full">
          <SmilePlus className="size-5" aria-hidden />
        </IconButton>
      }
      label={t('reactWith')}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className="flex rounded-full p-1"
    >
      {emojis.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-label={emoji}
          aria-pressed={chosen === emoji}
          className="grid size-10 place-items-center rounded-full text-xl hover:bg-accent-soft aria-pressed:bg-accent-soft"
          onClick={() => {
            setIsOpen(false);
            onReact(view.id, chosen === emoji ? '' : emoji);
          }}
        >
          {emoji}
        </button>
      ))}
    </Popover>
  );
}
