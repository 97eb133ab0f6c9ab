import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { formatTime } from '../texts/format.ts';
import { Buttons } from './body/buttons.tsx';
import { ChoosingProvider } from './body/choosing.ts';
import { Bubble, elementIdOf } from './bubble.tsx';
import type { MessageHandlers } from './message-handlers.ts';
import type { MessageView } from './message-view.ts';

/** A message of a conversation with its buttons. Drawn again only if it or the handlers change. */
export const Message = memo(function Message({
  view,
  handlers,
}: {
  view: MessageView;
  handlers: MessageHandlers;
}) {
  if (view.body.kind === 'notice') return <Notice view={view} words={view.body.words} />;
  const { onChoose, Tools } = handlers;
  return (
    <article
      id={elementIdOf(view.id)}
      className={`group/message relative flex w-fit max-w-[85%] flex-col sm:max-w-[min(78%,30rem)] ${
        view.isMine ? 'items-end justify-self-end' : 'items-start justify-self-start'
      } ${view.reactions.length > 0 ? 'mb-3.5' : ''}`}
    >
      <ChoosingProvider value={onChoose && ((key) => onChoose(view.id, key))}>
        <Bubble view={view} />
        <Buttons
          actions={view.actions}
          className={view.reactions.length > 0 ? 'mt-4 -mb-3.5' : 'mt-1'}
        />
      </ChoosingProvider>
      {Tools && !view.isMine && <Tools view={view} handlers={handlers} />}
    </article>
  );
});

/** A line across the conversation, such as for a message that did not arrive. */
function Notice({ view, words }: { view: MessageView; words: string }) {
  return (
    <article
      id={elementIdOf(view.id)}
      className="flex max-w-[90%] items-center gap-2 justify-self-center rounded-xl border border-dashed border-warn bg-warn-soft px-3.5 py-1.5 text-sm text-warn"
    >
      <TriangleAlert className="size-4 shrink-0" aria-hidden />
      <span dir="auto" className="min-w-0 break-words">
        {words}
      </span>
      <time dateTime={view.at} className="whitespace-nowrap">
        {formatTime(view.at)}
      </time>
    </article>
  );
}
