import { buildTemplateSendPayload, GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { verifySignature } from '@kapso/whatsapp-cloud-api/server';
import {
  type Changed,
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
  const get = <Data>(path: string) =>
    client.request<{ data: Data }>('GET', path, { responseType: 'json' });
  return {
    sendText: ({ to, body }) => outcome(client.messages.sendText({ phoneNumberId, to, body })),
    sendToUserId: (recipient, body) =>
      outcome(client.messages.sendText({ phoneNumberId, recipient, body })),
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
    // Only for the registration it has a method.
    connecting: {
      async inspectToken() {
        const { data } = await get<{ appId: string; scopes: string[] }>(
          `debug_token?input_token=${address.accessToken}`,
        );
        return { appId: data.appId, scopes: data.scopes };
      },
      listNumbers: async () =>
        (await get<{ id: string }[]>(`${businessAccountId}/phone_numbers`)).data.map(
          ({ id }) => id,
        ),
      register: (pin) => changed(client.phoneNumbers.register({ phoneNumberId, pin })),
      subscribe: ({ url, verifyToken }) =>
        changed(
          client.request<{ success: boolean }>('POST', `${businessAccountId}/subscribed_apps`, {
            body: { override_callback_uri: url, verify_token: verifyToken },
            responseType: 'json',
          }),
        ),
      overrides: async () =>
        (
          await get<{ overrideCallbackUri?: string }[]>(`${businessAccountId}/subscribed_apps`)
        ).data.map(({ overrideCallbackUri }) => overrideCallbackUri ?? null),
    },
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

async function changed(call: Promise<{ success: boolean }>): Promise<Changed> {
  try {
    return (await call).success || { code: 0 };
  } catch (error) {
    if (error instanceof GraphApiError && error.code !== undefined) return { code: error.code };
    throw error;
  }
}

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
