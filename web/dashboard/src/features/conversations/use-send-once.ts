import { useRef } from 'react';
import { mayBeDone } from '../../api/problems.ts';

/**
 * Returns a function that sends a message with an Idempotency-Key. After a lost response, the same message has the same
 * key again, so that it cannot go out twice. A message that was refused gets another key, because it may be accepted
 * now, and so does the same message after it was sent.
 */
export function useSendOnce() {
  const last = useRef<{ message: string; key: string }>(undefined);
  return async function sendOnce<Message extends object, Result>(
    message: Message,
    send: (key: string, input: { body: Message }) => Promise<Result>,
  ): Promise<Result> {
    const asText = JSON.stringify(message);
    if (last.current?.message !== asText)
      last.current = { message: asText, key: crypto.randomUUID() };
    try {
      const result = await send(last.current.key, { body: message });
      last.current = undefined;
      return result;
    } catch (error) {
      if (!mayBeDone(error)) last.current = undefined;
      throw error;
    }
  };
}
