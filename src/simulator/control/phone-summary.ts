import type { Network } from '../network.ts';
import type { ChatMessage, Phone, PhoneSummary } from '../types.ts';

/** Finds what a list of phones shows of a phone. */
export function summaryOf({ state }: Network, phone: Phone): PhoneSummary {
  let unread = 0;
  let last: ChatMessage | null = null;
  for (const numberId of state.numbers.keys()) {
    const messages = state.chats.get(`${numberId}:${phone.phone}`)?.messages ?? [];
    for (const message of messages) if (isUnread(message)) unread++;
    const newest = messages.findLast(isShown);
    if (newest && (last === null || newest.at >= last.at)) last = newest;
  }
  return { ...phone, unread, last };
}

/** Whether the phone shows the message. Reactions are shown at the messages that they are about. */
function isShown({ type, direction, status }: ChatMessage): boolean {
  if (type === 'reaction') return false;
  return direction === 'inbound' || ['delivered', 'read', 'played', 'failed'].includes(status);
}

function isUnread({ type, direction, status }: ChatMessage): boolean {
  return direction === 'outbound' && status === 'delivered' && type !== 'reaction';
}
