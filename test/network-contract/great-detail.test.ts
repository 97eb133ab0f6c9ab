import Client from '@great-detail/whatsapp';
import { type ListedTemplate, networkContract, type Sent } from './contract.ts';

networkContract('@great-detail/whatsapp', (address) => {
  const phoneNumberID = address.phoneNumberId;
  const client = new Client({
    baseUrl: address.url,
    // Without the slash, it resolves the path against the version and loses it.
    graphVersion: 'v23.0/',
    request: { headers: { Authorization: `Bearer ${address.accessToken}` }, retry: 0 },
  });
  type Message = Parameters<typeof client.message.createMessage>[0];
  const send = (message: object) =>
    outcome(client.message.createMessage({ phoneNumberID, ...message } as Message));
  return {
    sendText: ({ to, body }) => send({ to, type: 'text', text: { body } }),
    sendToUserId: (recipient, body) => send({ recipient, type: 'text', text: { body } }),
    sendMedia: ({ to, type, ...media }) => send({ to, type, [type]: media }),
    sendTemplate({ to, name, language, body = [], headerImage, urlButton }) {
      const texts = (values: string[]) => values.map((text) => ({ type: 'text', text }));
      const components = [
        headerImage && {
          type: 'header',
          parameters: [{ type: 'image', image: { link: headerImage } }],
        },
        body.length > 0 && { type: 'body', parameters: texts(body) },
        urlButton && {
          type: 'button',
          sub_type: 'url',
          index: '0',
          parameters: texts([urlButton]),
        },
      ].filter(Boolean);
      const template = { name, language: { code: language }, components };
      return send({ to, type: 'template', template });
    },
    async listTemplates() {
      const all: ListedTemplate[] = [];
      let after: string | undefined;
      do {
        const searchParams = { limit: '50', ...(after && { after }) };
        const request = { searchParams };
        const answer = client.template.list(address.businessAccountId, { request });
        const page = (await answer.json()) as TemplatePage;
        all.push(...page.data);
        after = page.paging.next ? page.paging.cursors.after : undefined;
      } while (after);
      return all;
    },
    async verifySignature(raw, header) {
      const event = await client.webhook.eventNotification({
        method: 'POST',
        headers: { 'x-hub-signature-256': header },
        body: raw.toString(),
        query: {},
      } as Parameters<typeof client.webhook.eventNotification>[0]);
      return event.checkSignature(address.appSecret);
    },
  };
});

// The client's own type omits fields that the network documents.
interface TemplatePage {
  data: ListedTemplate[];
  paging: { cursors: { after: string }; next?: string };
}

async function outcome(call: { json(): Promise<unknown> }): Promise<Sent> {
  try {
    const { messages } = (await call.json()) as { messages: { id: string }[] };
    return { id: messages[0]?.id ?? '' };
  } catch (error) {
    const { response, data } = error as { response?: Response; data?: unknown };
    if (!response) throw error;
    const body = (data ?? (await response.json())) as { error: { code: number } };
    return { code: body.error.code };
  }
}
