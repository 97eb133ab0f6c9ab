import { isToUser } from '../graph/messages/is-to-user.ts';
import type { SimulatorState } from '../state.ts';
import type { ChatMessage, JsonObject } from '../types.ts';

const knownMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Whether the network names the phone of a person to a number even if the person hides it: it was sent a message by
 * this number, or was named to it, within 30 days.
 */
export function knowsPhone({ chats }: SimulatorState, numberId: string, phone: string): boolean {
  const since = Date.now() - knownMs;
  const messages = chats.get(`${numberId}:${phone}`)?.messages ?? [];
  return messages.some((message) => message.at > since && namesPhone(message));
}

function namesPhone({ direction, status, payload }: ChatMessage): boolean {
  if (direction === 'outbound') return status !== 'failed' && !isToUser(payload);
  return payload.from !== undefined || isShared(payload);
}

/** Whether the person pressed the button that shares the own phone. */
function isShared({ contacts }: JsonObject): boolean {
  const cards = Array.isArray(contacts) ? (contacts as (JsonObject | null)[]) : [];
  return cards.some((card) => card?.origin === 'contact_request');
}
