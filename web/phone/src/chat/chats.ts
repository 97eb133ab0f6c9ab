import type { Chat, ChatMessage } from '../../../../src/simulator/types.ts';

/** Whether the conversation shows the message: it reached the phone, or is a note that it failed. */
export function isShown({ type, direction, status }: ChatMessage): boolean {
  if (type === 'reaction') return false;
  return direction === 'inbound' || ['delivered', 'read', 'played', 'failed'].includes(status);
}

/** Finds the messages that a person has not read yet. */
export function unreadIn(chat: Chat | undefined): ChatMessage[] {
  const isUnread = (message: ChatMessage) =>
    message.direction === 'outbound' && message.status === 'delivered' && isShown(message);
  return chat?.messages.filter(isUnread) ?? [];
}

/** Counts the messages that wait for a phone that is off. */
export function waitingOf(chat: Chat | undefined): number {
  const isWaiting = ({ direction, status }: ChatMessage) =>
    direction === 'outbound' && (status === 'accepted' || status === 'sent');
  return chat?.messages.filter(isWaiting).length ?? 0;
}

/** The number of the business with the latest message. */
export function latestNumber(chats: Iterable<Chat>): string | undefined {
  const lastAt = (chat: Chat) => chat.messages.findLast(isShown)?.at ?? 0;
  return [...chats].sort((a, b) => lastAt(b) - lastAt(a))[0]?.phone_number_id;
}

/** Adds a message to its chat, or replaces its earlier state. */
export function withMessage(chat: Chat | undefined, message: ChatMessage): Chat {
  const { phone_number_id, phone } = message;
  const known = chat ?? { phone_number_id, phone, messages: [], last_inbound_at: null };
  const at = known.messages.findIndex(({ wamid }) => wamid === message.wamid);
  const messages = at < 0 ? [...known.messages, message] : known.messages.with(at, message);
  return { ...known, messages };
}
