import { useRef } from 'react';
import { untilResponse } from '../../../../api/until-response.ts';
import { isSameNumber, mayBeSent } from './unsure-text.ts';

type Sent = {
  content: string;
  message: { from?: string | undefined };
  key: string;
  mayBeSent?: boolean;
};

/**
 * Returns a function that sends a message with an Idempotency-Key. After a lost response, the same message has the same
 * key again, so that it cannot go out twice. A message that was refused gets another key, because it may be accepted
 * now, and so does the same message after it was sent. Its number may have been unknown when it was sent first, so that
 * the service chose it: then it is the same message.
 */
export function useSendOnce() {
  const last = useRef<Sent>(undefined);
  return async function sendOnce<Message extends { from?: string | undefined }, Result>(
    message: Message,
    send: (key: string, wanted: AbortSignal, input: { body: Message }) => Promise<Result>,
  ): Promise<Result> {
    const content = JSON.stringify({ ...message, from: undefined });
    const earlier = last.current;
    const isSame = earlier?.content === content && isSameNumber(earlier.message.from, message.from);
    const sent: Sent = isSame ? earlier : { content, message, key: crypto.randomUUID() };
    last.current = sent;
    try {
      const input = { body: sent.message as Message };
      const result = await untilResponse((wanted) => send(sent.key, wanted, input));
      last.current = undefined;
      return result;
    } catch (error) {
      sent.mayBeSent = mayBeSent(sent, error);
      if (!sent.mayBeSent) last.current = undefined;
      throw error;
    }
  };
}
