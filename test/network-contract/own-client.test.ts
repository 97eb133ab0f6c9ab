import { expect } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createNetworkClient, type OutgoingContent } from '../../src/whatsapp/client.ts';
import type { NetworkTemplate } from '../../src/whatsapp/list-templates.ts';
import { isSignedBy } from '../../src/whatsapp/signature.ts';
import { networkContract, type Sent } from './contract.ts';

networkContract('our own client', (address) => {
  const client = createNetworkClient({
    version: 'v25.0',
    timeoutMs: 10_000,
    messagesPerSecond: 0,
    processes: 1,
    metrics: createMetrics(),
  });
  const credentials = {
    tenantId: 1,
    networkUrl: address.url,
    phoneNumberId: address.phoneNumberId,
    accessToken: address.accessToken,
  };
  const send = async (to: string, content: OutgoingContent): Promise<Sent> => {
    const sent = await client.sendMessage(credentials, to, content, '1.1');
    if (sent.outcome === 'accepted') return { id: sent.networkId };
    if (sent.outcome === 'refused') return { code: sent.error.code };
    throw sent.cause;
  };
  return {
    sendText: ({ to, body }) => send(to, { type: 'text', text: { body } }),
    sendMedia: ({ to, type, ...media }) => send(to, { type, [type]: media } as OutgoingContent),
    sendTemplate: ({ to, name, language, body = [], headerImage, urlButton }) =>
      send(to, {
        type: 'template',
        template: {
          name,
          language: { code: language },
          components: [
            ...(headerImage
              ? [
                  {
                    type: 'header' as const,
                    parameters: [{ type: 'image', image: { link: headerImage } }],
                  },
                ]
              : []),
            { type: 'body', parameters: body.map((text) => ({ type: 'text', text })) },
            ...(urlButton
              ? [
                  {
                    type: 'button' as const,
                    sub_type: 'url',
                    index: '0',
                    parameters: [{ type: 'text', text: urlButton }],
                  },
                ]
              : []),
          ],
        },
      }),
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
