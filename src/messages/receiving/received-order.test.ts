import { expect, test } from 'vitest';
import { signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';
import { queueAnswers } from '../../bots/answering/queue-answers.ts';
import { queueFiles } from '../../media/kept/queue-files.ts';
import { listConversationMessages } from '../conversations/conversation-queries.ts';
import { createMessageReceiver } from './receive-messages.ts';

const app = testApp();

const phone = '+14155550123';

async function receiver() {
  const shop = await app.tenant();
  const message = (networkId: string, text: string, at: string) => ({
    tenantId: shop.id,
    numberId: shop.number.id,
    networkId,
    identity: phone,
    profileName: undefined,
    at: new Date(at),
    kind: 'text',
    content: { text },
  });
  return {
    shop,
    message,
    receive: createMessageReceiver({ ...app.services, queueAnswers, queueFiles }),
  };
}

test('messages of one callback are stored in the order in which they were written', async () => {
  const { shop, message, receive } = await receiver();
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

test('an older message that arrives after a newer one does not shorten the 24 hours', async () => {
  const { shop, message, receive } = await receiver();
  await receive([message('wamid.new', 'second', '2026-11-02T09:00:00Z')]);
  await receive([message('wamid.old', 'first', '2026-10-30T09:00:00Z')]);
  const member = await signIn(app, shop);
  const thread = await member.call('GET', `/conversation?phone=${encodeURIComponent(phone)}`);
  const list = await member.call('GET', '/conversations');
  expect(thread.body.data.windows).toEqual([
    { number_id: shop.number.id, window_until: '2026-11-03T09:00:00.000Z' },
  ]);
  expect(list.body.data.conversations).toMatchObject([
    { window_until: '2026-11-03T09:00:00.000Z' },
  ]);
});
