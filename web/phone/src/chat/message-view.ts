import type { ChatMessage } from '../../../../src/simulator/types.ts';
import type { MessageView, Quote, Tick } from '../../../message/message-view.ts';
import { oneLine } from '../../../message/one-line.ts';
import { noteReaction, type Reactions } from '../../../message/reactions.ts';
import { record, text } from '../../../message/read-json.ts';
import { phone as t } from '../../../texts/phone.ts';
import { isShown } from './chats.ts';
import { actionsOf, bodyOf } from './message-body.ts';

/**
 * Reads the messages of a chat, as the Graph API has them, for the person who holds the phone.
 *
 * @param messages oldest first; reactions among them become part of the messages that they are about
 * @param business the name of the other side
 */
export function viewsOf(messages: ChatMessage[], business: string): MessageView[] {
  const reactions: Reactions = new Map();
  for (const { type, payload, direction, status } of messages) {
    if (type !== 'reaction' || status === 'failed') continue;
    const reaction = record(payload.reaction);
    const isMine = direction === 'inbound';
    const author = isMine ? t('mine') : business;
    noteReaction(reactions, text(reaction.message_id), {
      emoji: text(reaction.emoji),
      isMine,
      author,
    });
  }
  const shown = new Map<string, MessageView>();
  for (const message of messages.filter(isShown)) {
    const { wamid, direction } = message;
    const isMine = direction === 'inbound';
    shown.set(wamid, {
      ...viewOf(message),
      isMine,
      reactions: [...(reactions.get(wamid)?.values() ?? [])],
      quote: quoteOf(message, shown, business),
    });
  }
  return [...shown.values()];
}

/** Converts one message, so that a malformed one does not hide the others. */
export function viewOf(message: ChatMessage): MessageView {
  const isMine = message.direction === 'inbound';
  const view: MessageView = {
    id: message.wamid,
    at: new Date(message.at).toISOString(),
    isMine,
    body: { kind: 'notice', words: t('ofType', { type: message.type }) },
    actions: [],
    reactions: [],
  };
  if (message.status === 'failed') {
    const words = t('failed', {
      code: String(message.error?.code),
      title: String(message.error?.title),
    });
    return { ...view, body: { kind: 'notice', words } };
  }
  try {
    return {
      ...view,
      body: bodyOf(message),
      actions: isMine ? [] : actionsOf(message),
      tick: isMine ? tickOf(message) : undefined,
      note: isMine ? undefined : noteOf(message),
    };
  } catch {
    return view;
  }
}

/** Describes the last message of a phone in one line. */
export function lineOf(message: ChatMessage): string {
  return message.status === 'failed' ? t('failedLine') : oneLine(viewOf(message));
}

function tickOf({ seen, status }: ChatMessage): Tick {
  const step = seen ? 'read' : status === 'delivered' ? 'delivered' : 'sent';
  return { step, words: t(`ticks.${step}`) };
}

/** Tells a tester how far the business knows that its message came. A real phone shows nothing here. */
function noteOf({ status }: ChatMessage): string | undefined {
  if (status === 'delivered' || status === 'read' || status === 'played') {
    return t(`reported.${status}`);
  }
  return undefined;
}

function quoteOf(
  { payload, direction }: ChatMessage,
  shown: Map<string, MessageView>,
  business: string,
): Quote | undefined {
  const context = record(payload.context);
  const messageId = text(direction === 'inbound' ? context.id : context.message_id);
  const original = shown.get(messageId);
  if (!original) return undefined;
  return {
    author: original.isMine ? t('mine') : business,
    text: oneLine(original),
    messageId,
  };
}
