import { buildTemplateSendPayload, GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { verifySignature } from '@kapso/whatsapp-cloud-api/server';
import {
  type ListedTemplate,
  networkContract,
  type OutboundTemplate,
  type Sent,
} from './contract.ts';

networkContract('@kapso/whatsapp-cloud-api', (address) => {
  const { phoneNumberId, businessAccountId } = address;
  const client = new WhatsAppClient({
    accessToken: address.accessToken,
    baseUrl: address.url,
    graphVersion: 'v25.0',
  });
  return {
    sendText: ({ to, body }) => outcome(client.messages.sendText({ phoneNumberId, to, body })),
    sendMedia({ to, type, link, caption, filename }) {
      const target = { phoneNumberId, to };
      const { messages } = client;
      if (type === 'image')
        return outcome(messages.sendImage({ ...target, image: { link, caption } }));
      if (type === 'video')
        return outcome(messages.sendVideo({ ...target, video: { link, caption } }));
      if (type === 'audio') return outcome(messages.sendAudio({ ...target, audio: { link } }));
      return outcome(messages.sendDocument({ ...target, document: { link, caption, filename } }));
    },
    sendTemplate: (template) => {
      type Template = Parameters<typeof client.messages.sendTemplate>[0]['template'];
      const filled = filledOf(template) as Template;
      return outcome(
        client.messages.sendTemplate({ phoneNumberId, to: template.to, template: filled }),
      );
    },
    // The client has no method for this, but makes any request to the network.
    sendMarketing: (template) =>
      outcome(
        client.request<{ messages: { id: string }[] }>(
          'POST',
          `${phoneNumberId}/marketing_messages`,
          {
            body: {
              messaging_product: 'whatsapp',
              to: template.to,
              type: 'template',
              template: filledOf(template),
            },
            responseType: 'json',
          },
        ),
      ),
    async listTemplates() {
      const all: ListedTemplate[] = [];
      let after: string | undefined;
      do {
        const page = await client.templates.list({ businessAccountId, limit: 30, after });
        for (const { name, language = '', status = '' } of page.data) {
          all.push({ name, language, status });
        }
        after = page.paging.next ? (page.paging.cursors.after ?? undefined) : undefined;
      } while (after);
      return all;
    },
    verifySignature: async (rawBody, signatureHeader) =>
      verifySignature({ appSecret: address.appSecret, rawBody, signatureHeader }),
  };
});

function filledOf({ name, language, body = [], headerImage, urlButton }: OutboundTemplate) {
  return buildTemplateSendPayload({
    name,
    language,
    body: body.map((text) => ({ type: 'text' as const, text })),
    ...(headerImage && { header: { type: 'image' as const, image: { link: headerImage } } }),
    ...(urlButton && {
      buttons: [
        {
          type: 'button' as const,
          subType: 'url' as const,
          index: 0,
          parameters: [{ type: 'text' as const, text: urlButton }],
        },
      ],
    }),
  });
}

async function outcome(call: Promise<{ messages: { id: string }[] }>): Promise<Sent> {
  try {
    const { messages } = await call;
    return { id: messages[0]?.id ?? '' };
  } catch (error) {
    if (error instanceof GraphApiError && error.code !== undefined) return { code: error.code };
    throw error;
  }
}
