import type { Caller } from '../../tenants/find-caller.ts';
import type { MessageContent, MessageSender, SendRequest, Sent } from './send-message.ts';

export type TextMessage = { phone: string; text: string };

/**
 * Sends a text of at most 4,096 characters. The network accepts it while the 24-hour window is open.
 *
 * @throws ApiError the errors of `sendMessage`
 */
export async function sendText(
  { sendMessage }: { sendMessage: MessageSender },
  caller: Caller,
  { phone, text }: TextMessage,
  request: SendRequest,
): Promise<Sent> {
  return sendMessage(caller, { phone, ...textContent(text) }, request);
}

/** Builds the content of a text message. */
export function textContent(text: string): MessageContent {
  return { kind: 'text', content: { type: 'text', text: { body: text } }, storedContent: { text } };
}
