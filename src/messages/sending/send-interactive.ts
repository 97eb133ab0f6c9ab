import type { NumberFinder } from '../../numbers/find-number.ts';
import type { Caller } from '../../tenants/api/find-caller.ts';
import type { ContactRequest } from '../../whatsapp/client.ts';
import { findSenders } from './find-senders.ts';
import type { Checked, MessageSender, SendRequest, Sent } from './send-message.ts';
import type { TextMessage } from './send-text.ts';

/**
 * Asks people to share their phone, with a text of at most 1,024 characters and a button. The network accepts
 * it while the 24-hour window is open. The reply links the phone to the person's user id.
 *
 * @throws ApiError the errors of `findSenders` and `sendMessage`
 */
export async function sendContactRequest(
  { numbers, sendMessage }: { numbers: NumberFinder; sendMessage: MessageSender },
  caller: Caller,
  { phone, from, reference, text, dryRun }: TextMessage,
  request: SendRequest,
): Promise<Sent | Checked> {
  const senders = await findSenders(numbers, caller.tenantId, from);
  const interactive: ContactRequest = {
    type: 'request_contact_info',
    body: { text },
    action: { name: 'request_contact_info' },
  };
  const message = {
    kind: 'interactive' as const,
    content: { type: 'interactive' as const, interactive },
    storedContent: { text, interactive },
  };
  return sendMessage(caller, { senders, phone, reference, dryRun, ...message }, request);
}
