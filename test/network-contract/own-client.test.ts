import { expect } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';
import { noTracing } from '../../src/platform/tracing/tracing.ts';
import { isSignedBy } from '../../src/whatsapp/callbacks/signature.ts';
import {
  createNetworkClient,
  type OutgoingContent,
  type TemplatePart,
} from '../../src/whatsapp/client.ts';
import type { LookUp } from '../../src/whatsapp/graph.ts';
import type { NetworkTemplate } from '../../src/whatsapp/list-templates.ts';
import { type Changed, networkContract, type OutboundTemplate, type Sent } from './contract.ts';

networkContract('our own client', (address) => {
  const client = createNetworkClient({
    version: 'v25.0',
    timeoutMs: 10_000,
    messagesPerSecond: 0,
    moveRate: async () => 0,
    metrics: createMetrics(),
    tracing: noTracing,
  });
  const credentials = {
    tenantId: 1,
    networkUrl: address.url,
    phoneNumberId: address.phoneNumberId,
    accessToken: address.accessToken,
  };
  const send = async (to: string, content: OutgoingContent, category?: string): Promise<Sent> => {
    const number = { ...credentials, marketingEndpoint: true };
    const sent = await client.sendMessage(number, to, { content, category }, '1.1');
    if (sent.outcome === 'accepted') return { id: sent.networkId };
    if (sent.outcome === 'refused') return { code: sent.error.code };
    throw sent.cause;
  };
  return {
    sendText: ({ to, body }) => send(to, { type: 'text', text: { body } }),
    sendToUserId: (userId, body) => send(`user:${userId}`, { type: 'text', text: { body } }),
    sendMedia: ({ to, type, ...media }) => send(to, { type, [type]: media } as OutgoingContent),
    sendTemplate: (template) => send(template.to, contentOf(template)),
    sendMarketing: (template) => send(template.to, contentOf(template), 'MARKETING'),
    connecting: {
      async inspectToken() {
        const { appId, scopes } = found(await client.inspectToken(credentials));
        return { appId, scopes };
      },
      listNumbers: async () =>
        found(await client.listAccountNumbers(credentials, address.businessAccountId)).map(
          ({ phoneNumberId }) => phoneNumberId,
        ),
      register: async (pin) => changed(await client.registerNumber(credentials, pin)),
      async subscribe(callback) {
        found(await client.subscriptions.subscribeApp(credentials, address.businessAccountId));
        return changed(await client.subscriptions.setAddress(credentials, callback));
      },
      overrides: async () => [found(await client.subscriptions.readAddresses(credentials)).number],
    },
    async listTemplates() {
      const templates: NetworkTemplate[] = [];
      const { outcome } = await client.listTemplates(
        credentials,
        address.businessAccountId,
        async (page) => void templates.push(...page),
      );
      expect(outcome).toBe('listed');
      return templates;
    },
    verifySignature: async (raw, header) => isSignedBy(address.appSecret, raw, header),
  };
});

function found<Value>(lookUp: LookUp<Value>): Value {
  if (lookUp.outcome === 'found') return lookUp.value;
  throw new Error(`the network did not say: ${JSON.stringify(lookUp)}`);
}

function changed(lookUp: LookUp<true>): Changed {
  return lookUp.outcome === 'refused' ? { code: lookUp.error.code } : found(lookUp);
}

function contentOf({
  name,
  language,
  body = [],
  headerImage,
  urlButton,
}: OutboundTemplate): OutgoingContent {
  const components: TemplatePart[] = [
    { type: 'body', parameters: body.map((text) => ({ type: 'text', text })) },
  ];
  if (headerImage) {
    const image = { type: 'image', image: { link: headerImage } };
    components.unshift({ type: 'header', parameters: [image] });
  }
  if (urlButton) {
    const parameters = [{ type: 'text', text: urlButton }];
    components.push({ type: 'button', sub_type: 'url', index: '0', parameters });
  }
  return { type: 'template', template: { name, language: { code: language }, components } };
}
