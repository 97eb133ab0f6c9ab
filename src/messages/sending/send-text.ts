import type { NumberFinder } from '../../numbers/find-number.ts';
import type { Caller } from '../../tenants/api/find-caller.ts';
import { findSenders } from './find-senders.ts';
import type { Checked, MessageContent, MessageSender, SendRequest, Sent } from './send-message.ts';

export type TextMessage = {
  phone: string;
  from?: string | null;
  reference?: string | null;
  text: string;
  dryRun?: boolean | null | undefined;
};

/**
 * Sends a text of at most 4,096 characters. The network accepts it while the 24-hour window is open.
 *
 * @throws ApiError the errors of `findSenders` and `sendMessage`
 */
export async function sendText(
  { numbers, sendMessage }: { numbers: NumberFinder; sendMessage: MessageSender },
  caller: Caller,
  { phone, from, reference, text, dryRun }: TextMessage,
  request: SendRequest,
): Promise<Sent | Checked> {
  const senders = await findSenders(numbers, caller.tenantId, from);
  return sendMessage(caller, { senders, phone, reference, dryRun, ...textContent(text) }, request);
}

/** Builds the content of a text message. */
export function textContent(text: string): MessageContent {
  return { kind: 'text', content: { type: 'text', text: { body: text } }, storedContent: { text } };
}
