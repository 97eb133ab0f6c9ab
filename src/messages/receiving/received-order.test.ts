import { expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { listConversationMessages } from '../conversations/conversation-queries.ts';
import { createMessageReceiver } from './receive-messages.ts';

const app = testApp();

test('messages that come in one post stay in the order in which they were written', async () => {
  const shop = await app.tenant();
  const phone = '+14155550123';
  const message = (networkId: string, text: string, at: string) => ({
    tenantId: shop.id,
    numberId: shop.number.id,
    networkId,
    phone,
    profileName: undefined,
    at: new Date(at),
    kind: 'text',
    content: { text },
  });
  const receive = createMessageReceiver(app.services);
  await receive([
    message('wamid.B', 'third', '2026-11-02T09:00:01Z'),
    message('wamid.D', 'first', '2026-11-02T09:00:00Z'),
    message('wamid.C', 'second', '2026-11-02T09:00:00Z'),
    message('wamid.A', 'fourth', '2026-11-02T09:00:01Z'),
    message('wamid.A', 'fourth', '2026-11-02T09:00:01Z'),
  ]);
  const thread = await listConversationMessages(app.db, shop.id, phone, { limit: 9 });
  expect(thread.map(({ content }) => content.text)).toEqual(['fourth', 'third', 'second', 'first']);
});
