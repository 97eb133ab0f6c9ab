import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src/simulator/types.ts';
import { formTokenOf, replyTo } from '../composing/reply-to.ts';
import { actionsOf, bodyOf } from './message-body.ts';

const sent = (fields: Partial<ChatMessage>): ChatMessage => ({
  wamid: 'wamid.A',
  direction: 'outbound',
  phone_number_id: '1',
  phone: '15551234567',
  at: 0,
  type: 'template',
  payload: {},
  status: 'read',
  statuses: [],
  ...fields,
});
const link = 'https://files.example.com/mug.jpg';

test('the cards of a template have their pictures, and their buttons reply', () => {
  const message = sent({
    rendered: {
      name: 'mugs',
      language: 'en',
      body: 'Our mugs:',
      buttons: [],
      cards: [1, 2].map((count) => ({
        header: { format: 'IMAGE', link },
        body: `${count} left`,
        buttons: [
          { type: 'QUICK_REPLY', text: 'Keep one', payload: `keep-${count}` },
          { type: 'FLOW', text: 'Choose', flow_token: `form-${count}` },
        ],
      })),
    },
  });
  expect(bodyOf(message)).toMatchObject({
    kind: 'carousel',
    text: 'Our mugs:',
    cards: [1, 2].map((count) => ({
      card: { text: `${count} left`, header: { media: { type: 'image', url: link } } },
      actions: [{ text: 'Keep one', key: `button:${count - 1}:0` }, { text: 'Choose' }],
    })),
  });
  expect(replyTo(message, 'button:1:0')).toMatchObject({
    type: 'button',
    button: { payload: 'keep-2', text: 'Keep one' },
  });
  expect(formTokenOf(message, 'form:1:1')).toBe('form-2');
});

test('an offer says when it ends', () => {
  const rendered = { name: 'sale', language: 'en', body: 'All mugs', buttons: [] };
  const offer = { text: 'Ends soon', ends_at: Date.UTC(2026, 10, 28, 12) };
  expect(bodyOf(sent({ rendered: { ...rendered, offer } }))).toMatchObject({
    kind: 'card',
    text: expect.stringMatching(/^\*Ends soon · until .*2026.*\*\n\nAll mugs$/),
  });
});

test('the cards of an interactive message have their links', () => {
  const parameters = { display_text: 'Buy', url: 'https://x.test/' };
  const card = {
    header: { type: 'image', image: { link } },
    body: { text: 'A mug' },
    action: { name: 'cta_url', parameters },
  };
  const interactive = { type: 'carousel', body: { text: 'Mugs' }, action: { cards: [card, card] } };
  const message = sent({ type: 'interactive', payload: { interactive } });
  expect(bodyOf(message)).toMatchObject({
    kind: 'carousel',
    text: 'Mugs',
    cards: Array(2).fill({
      card: { text: 'A mug', header: { media: { url: link } } },
      actions: [{ kind: 'link', text: 'Buy', url: 'https://x.test/' }],
    }),
  });
  expect(actionsOf(message)).toEqual([]);
});
