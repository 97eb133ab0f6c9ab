import { notFound } from '../errors.ts';
import type { RequestCounter } from '../limits/count-request.ts';
import type { Database } from '../platform/database.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import type { MessageRow } from './queries.ts';
import { findMessage } from './queries.ts';
import { MessageStatus, SendMedia, SendText, SentMessage } from './schema.ts';
import type { MediaChecker } from './sending/check-media.ts';
import { sendMedia } from './sending/send-media.ts';
import type { MessageSender, Sent } from './sending/send-message.ts';

/** POST messages/send and messages/media, GET messages/{message_id} (spec, section 4.1). */
export function messageRoutes(
  api: TenantApi,
  services: {
    db: Database;
    sendMessage: MessageSender;
    checkMedia: MediaChecker;
    countRequest: RequestCounter;
  },
): void {
  const { db, sendMessage } = services;
  api.post(
    '/messages/send',
    {
      config: { ability: 'messages:text', countedBySend: true },
      schema: { body: SendText, response: { 200: SentMessage } },
    },
    async (request) => {
      const { phone_number: phone, message } = request.body;
      const sent = await sendMessage(
        request.caller,
        {
          phone,
          kind: 'text',
          content: { type: 'text', text: { body: message } },
          kept: { text: message },
        },
        request,
      );
      return presentSent(sent);
    },
  );

  api.post(
    '/messages/media',
    {
      config: { ability: 'messages:media', countedBySend: true },
      schema: { body: SendMedia, response: { 200: SentMessage } },
    },
    async (request) => {
      return presentSent(await sendMedia(services, request.caller, request.body, request));
    },
  );

  api.get(
    '/messages/:message_id',
    {
      config: { ability: ['messages:text', 'messages:media', 'messages:template'] },
      schema: { response: { 200: MessageStatus } },
    },
    async (request) => {
      const { message_id: messageId } = request.params as { message_id: string };
      const message = await findMessage(db, request.caller.tenantId, messageId);
      if (!message) throw notFound();
      return { success: true as const, data: presentStatus(message) };
    },
  );
}

function presentSent(sent: Sent) {
  return {
    success: true as const,
    message: 'The network accepted the message.',
    data: { message_id: sent.messageId, phone_number: sent.phone, status: sent.status },
  };
}

/** The status of a message that the network has named; before that no caller knows its id. */
function presentStatus(message: MessageRow) {
  const reached = {
    sent: message.sent_at,
    delivered: message.delivered_at,
    read: message.read_at,
    failed: message.failed_at,
  };
  const status = message.status as keyof typeof reached;
  return {
    message_id: message.network_id,
    status,
    timestamp: (reached[status] ?? message.created_at).toISOString(),
    ...(status === 'failed' && message.error ? { error: message.error } : {}),
  };
}
