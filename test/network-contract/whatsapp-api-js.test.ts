import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  Audio,
  BodyComponent,
  BodyParameter,
  Document,
  HeaderComponent,
  HeaderParameter,
  Image,
  Template,
  Text,
  URLComponent,
  Video,
} from 'whatsapp-api-js/messages';
import type { ClientMessage, ServerMessageResponse } from 'whatsapp-api-js/types';
import {
  type ListedTemplate,
  networkContract,
  type OutboundTemplate,
  type Sent,
} from './contract.ts';

networkContract('whatsapp-api-js', (address) => {
  const { phoneNumberId, businessAccountId } = address;
  const graph = 'https://graph.facebook.com';
  const client = new WhatsAppAPI({
    token: address.accessToken,
    appSecret: address.appSecret,
    v: 'v25.0',
    ponyfill: {
      fetch: (url: string | URL | Request, init?: RequestInit) =>
        fetch(String(url).replace(graph, address.url), init),
    },
  });
  const send = async (to: string, message: ClientMessage): Promise<Sent> =>
    outcome(await client.sendMessage(phoneNumberId, to, message));
  return {
    sendText: ({ to, body }) => send(to, new Text(body)),
    sendToUserId: async (bsuid, body) =>
      outcome(await client.sendMessage(phoneNumberId, { bsuid }, new Text(body))),
    sendMedia({ to, type, link, caption, filename }) {
      if (type === 'image') return send(to, new Image(link, false, caption));
      if (type === 'video') return send(to, new Video(link, false, caption));
      if (type === 'audio') return send(to, new Audio(link, false));
      return send(to, new Document(link, false, caption, filename));
    },
    sendTemplate: (template) => send(template.to, templateOf(template)),
    // The client has no method for this and for lists, but signs any request to the network.
    async sendMarketing(template) {
      const response = await client.$$apiFetch$$(
        `${graph}/v25.0/${phoneNumberId}/marketing_messages`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            messaging_product: 'whatsapp',
            to: template.to,
            type: 'template',
            template: templateOf(template),
          }),
        },
      );
      return outcome(JSON.parse(await response.text()));
    },
    async listTemplates() {
      const all: ListedTemplate[] = [];
      let after = '';
      for (;;) {
        const path = `${graph}/v25.0/${businessAccountId}/message_templates?limit=40${after}`;
        const page = JSON.parse(await (await client.$$apiFetch$$(path)).text());
        all.push(...page.data);
        if (!page.paging.next) return all;
        after = `&after=${page.paging.cursors.after}`;
      }
    },
    verifySignature: (raw, header) => client.verifyRequestSignature(raw.toString(), header),
  };
});

function templateOf({ name, language, body = [], headerImage, urlButton }: OutboundTemplate) {
  const [first, ...rest] = body.map((text) => new BodyParameter(text));
  const components = [
    ...(headerImage ? [new HeaderComponent(new HeaderParameter(new Image(headerImage)))] : []),
    ...(first ? [new BodyComponent(first, ...rest)] : []),
    ...(urlButton ? [new URLComponent(urlButton)] : []),
  ];
  return new Template(name, language, ...components);
}

function outcome(response: ServerMessageResponse): Sent {
  if (response.error) return { code: response.error.code };
  return { id: response.messages[0].id };
}
