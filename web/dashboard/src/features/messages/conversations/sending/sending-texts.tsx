import { useLayoutEffect } from 'react';
import { Message } from '../../../../../../message/message.tsx';
import type { MessageHandlers } from '../../../../../../message/message-handlers.ts';
import type { MessageView } from '../../../../../../message/message-view.ts';
import type { MessageData } from '../../../../api/records.ts';
import { tickOf } from '../thread/message-view.ts';
import type { Text } from './unsure-text.ts';
import { useSending } from './use-sending.ts';

const none: MessageHandlers = {};

/**
 * The texts that are on their way to a person, until their messages are in the conversation.
 *
 * @param messages those of the conversation
 * @param onAdd called when another text is on its way
 */
export function SendingTexts({
  person,
  messages,
  onAdd,
}: {
  person: string;
  messages: MessageData[];
  onAdd: () => void;
}) {
  const texts = withoutArrived(useSending(person), messages);
  const last = texts.at(-1)?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text calls it
  useLayoutEffect(() => {
    if (last) onAdd();
  }, [last]);
  if (texts.length === 0) return null;
  return (
    // The message itself is announced.
    <div aria-live="off" className="grid grid-cols-1 gap-1.5">
      {texts.map((text) => (
        <Message key={text.key} view={viewOf(text)} handlers={none} />
      ))}
    </div>
  );
}

/** An event often brings a message before the response to its request. */
function withoutArrived(texts: readonly Text[], messages: MessageData[]): Text[] {
  const sent = texts.map(({ messageId }) => messageId);
  const current = texts.find(({ messageId }) => messageId === undefined);
  const isOf = (text: Text, { id, direction, content }: MessageData) =>
    text === current
      ? id > text.after && direction === 'out' && content.text === text.text && !sent.includes(id)
      : id === text.messageId;
  return texts.filter((text) => !messages.some((message) => isOf(text, message)));
}

function viewOf({ key, at, text }: Text): MessageView {
  return {
    id: key,
    at: new Date(at).toISOString(),
    isMine: true,
    body: { kind: 'text', text },
    actions: [],
    reactions: [],
    tick: tickOf('accepting'),
  };
}
