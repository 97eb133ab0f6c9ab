import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Message } from '../../../../../../message/message.tsx';
import { oneLine } from '../../../../../../message/one-line.ts';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import type { MessageData } from '../../../../api/records.ts';
import { failed, unknownOutcome } from './message-view.examples.tsx';
import { type DrawnViews, viewOf, viewsOf } from './message-view.ts';

test('a failed message says why, and more when it is opened', async () => {
  await render(failed);
  const summary = page.getByText('The phone cannot receive this message');
  await expect.element(summary).toBeVisible();
  const details = document.querySelector('details')!;
  expect(details.open).toBe(false);
  await summary.click();
  expect(details.open).toBe(true);
  expect(details.textContent).toContain('No such account.');
  expect(details.textContent).toContain(t('code', { code: '131026' }));
});

test('a message with an unknown outcome says so', async () => {
  await render(unknownOutcome);
  await expect.element(page.getByText(t('unknownWarning'))).toBeVisible();
});

const at = '2026-11-25T10:04:00.000Z';
const message = {
  id: 1,
  number_id: 2,
  cause: 'app',
  member: null,
  direction: 'out',
  kind: 'text',
  content: { text: 'We are open until six.' },
  status: 'sent',
  network_id: 'wamid.1',
  failure: null,
  created_at: at,
  sent_at: at,
  delivered_at: null,
  read_at: null,
  failed_at: null,
} as const;

test('a message that staff sent in the phone app says so, with its number if there are several', async () => {
  const thread = { mediaAddress: () => '', numberName: (id: number) => `Shop ${id}` };
  await render(<Message view={viewOf(message, thread)} handlers={{}} />);
  await expect.element(page.getByText(`Shop 2 · ${t('fromApp')}`)).toBeVisible();
  expect(viewOf(message, { mediaAddress: () => '' }).note).toBe('from the phone app');
});

test('a message of a bot, a store, a program or a colleague says so', () => {
  const memberName = (member: string) => (member === 'me' ? undefined : 'Grace');
  const noteOf = (different: Partial<MessageData>) =>
    viewOf({ ...message, ...different }, { mediaAddress: () => '', memberName }).note;
  expect(noteOf({ cause: 'bot' })).toBe('Bot');
  expect(noteOf({ cause: 'store' })).toBe('Store');
  expect(noteOf({ cause: null })).toBe('API');
  expect(noteOf({ cause: 'member', member: 'other' })).toBe('Grace');
  expect(noteOf({ cause: 'member', member: 'me' })).toBeUndefined();
  expect(noteOf({ cause: null, direction: 'in' })).toBeUndefined();
});

test('the number of a message is shown if it differs from that of the message before', () => {
  const of = (number_id: number) => ({ ...message, direction: 'in' as const, number_id });
  const views = viewsOf([of(1), of(1), of(2), of(2), of(1)], {
    person: 'Ada',
    mediaAddress: () => '',
    numberName: (id) => `Shop ${id}`,
  });
  const notes = views.map(({ note }) => note);
  expect(notes).toEqual(['Shop 1', undefined, 'Shop 2', undefined, 'Shop 1']);
});

test('a message that looks the same has the same view, and is not drawn again', () => {
  const of = (id: number, different: Partial<MessageData> = {}): MessageData => ({
    ...message,
    id,
    network_id: `wamid.${id}`,
    ...different,
  });
  const thread = { person: 'Ada', mediaAddress: () => '' };
  const drawn: DrawnViews = new WeakMap();
  const asked = of(1, { direction: 'in', content: { text: 'Open?' } });
  const edited = of(2);
  const edit = { original_message_id: 'wamid.2', message: { type: 'text', text: { body: 'No' } } };
  const messages = [
    asked,
    edited,
    of(3, { kind: 'edit', content: { edit } }),
    of(4, { content: { text: 'Until six.', reply_to: 'wamid.1' } }),
    of(5, { status: 'failed', failure: { code: 1, words: 'Why', details: null } as never }),
  ];
  const before = viewsOf(messages, thread, drawn);
  expect(before[1]).toMatchObject({
    body: { text: 'No' },
    note: expect.stringContaining('Edited'),
  });
  const reaction = { message_id: 'wamid.1', emoji: '👍' };
  const later = [
    ...messages,
    of(6, { kind: 'reaction', content: { reaction } }),
    of(7, { kind: 'edit', content: { edit } }),
  ];
  const after = viewsOf(later, thread, drawn);
  expect(after[0]).toMatchObject({ reactions: [{ emoji: '👍' }] });
  expect(after.map((view, index) => view === before[index])).toEqual([false, true, true, true]);
  const named = viewsOf(later, { ...thread, numberName: () => 'Shop' }, drawn);
  expect(named[0]).toMatchObject({ note: expect.stringContaining('Shop'), reactions: [{}] });
  expect(named.slice(1).map((view, index) => view === after[index + 1])).toEqual([
    true,
    true,
    true,
  ]);
});

test('a voice message and other audio have different names', () => {
  const nameOf = (content: MessageData['content']) =>
    oneLine(viewOf({ ...message, kind: 'audio', content }, { mediaAddress: () => '/file' }));
  expect(nameOf({ media_id: '1', voice: true })).toBe('Voice message');
  expect(nameOf({ media_id: '1' })).toBe('Audio');
});

test('a button whose text WhatsApp writes has one here too', () => {
  const content = {
    body: 'May we call you?',
    buttons: [{ type: 'REQUEST_CONTACT_INFO', text: '' }],
  };
  const { actions } = viewOf({ ...message, kind: 'template', content }, { mediaAddress: () => '' });
  expect(actions).toMatchObject([{ kind: 'reply', text: t('sharePhone') }]);
});

test('the answers of a form are lines, without the token of the form', async () => {
  const formOf = (answers: object) =>
    viewOf(
      {
        ...message,
        direction: 'in',
        kind: 'interactive',
        content: {
          text: 'Sent',
          interactive: {
            type: 'nfm_reply',
            nfm_reply: { body: 'Sent', response_json: JSON.stringify(answers) },
          },
        },
      },
      { mediaAddress: () => '' },
    );
  const answers = {
    flow_token: 'table-7',
    persons: 2,
    days: ['Fri', 'Sat'],
    note: '',
    smokes: false,
  };
  const view = formOf(answers);
  expect(view.body).toEqual({ kind: 'text', text: 'persons: 2\ndays: Fri, Sat\nsmokes: false' });
  expect(formOf({ flow_token: 'table-7' }).body).toEqual({ kind: 'text', text: 'Sent' });
});

test('a message after an advertisement shows that, and leads to it', async () => {
  const referral = {
    source_type: 'ad',
    source_url: 'https://fb.me/1',
    headline: 'Blue mugs',
    body: 'All for 12 euros',
  };
  const content = { text: 'Is it still there?', referral };
  const [view] = viewsOf([{ ...message, direction: 'in', content }], {
    person: 'Ada',
    mediaAddress: () => '',
  });
  await render(<Message view={view!} handlers={{}} />);
  const ad = page.getByRole('link', { name: 'Advertisement Blue mugs' });
  await expect.element(ad).toHaveAttribute('href', 'https://fb.me/1');
});

test('a message that was forwarded says so', () => {
  for (const sign of ['forwarded', 'frequently_forwarded']) {
    const content = { text: 'Look', [sign]: true };
    expect(viewOf({ ...message, direction: 'in', content }, { mediaAddress: () => '' }).note).toBe(
      'Forwarded',
    );
  }
});

test('an order has the price of each line and of all', () => {
  const bodyOf = (...items: object[]) =>
    viewOf(
      { ...message, kind: 'order', content: { order: { product_items: items } } },
      { mediaAddress: () => '' },
    ).body;
  const mug = { product_retailer_id: 'mug', quantity: 2, item_price: 12, currency: 'EUR' };
  const plate = { product_retailer_id: 'plate', quantity: 1, item_price: 30.5, currency: 'EUR' };
  expect(bodyOf(mug, plate)).toMatchObject({
    items: [
      { name: 'mug', quantity: 2, price: '€24.00' },
      { name: 'plate', quantity: 1, price: '€30.50' },
    ],
    total: '€54.50',
  });
  const other = { ...mug, currency: 'gold' };
  expect(bodyOf(other, plate)).toMatchObject({ items: [{ price: '24 gold' }, {}], total: '' });
  expect(bodyOf({ product_retailer_id: 'mug' }, plate)).toMatchObject({
    items: [{ quantity: 1, price: '' }, {}],
    total: '',
  });
});

describe('what a person changed later', () => {
  const thread = { person: 'Ada', mediaAddress: (id: number) => `/${id}` };
  const received = (id: number, kind: string, content: object, direction: 'in' | 'out' = 'in') =>
    ({
      id,
      number_id: 2,
      cause: null,
      member: null,
      direction,
      kind,
      content,
      status: 'received',
      network_id: `wamid.${id}`,
      failure: null,
      created_at: at,
      sent_at: at,
      delivered_at: null,
      read_at: null,
      failed_at: null,
    }) as unknown as MessageData;
  const edit = (original_message_id: string, message: object) => ({
    edit: { original_message_id, message },
  });
  const text = received(1, 'text', { text: 'Main St 12' });
  const corrected = received(
    3,
    'edit',
    edit('wamid.1', { type: 'text', text: { body: 'Main St 21' } }),
  );

  test('replaces the text of the message, and says so', async () => {
    const answer = received(4, 'text', { text: 'Noted', reply_to: 'wamid.1' }, 'out');
    const [first, second, ...others] = viewsOf([text, corrected, answer], thread);
    expect(first).toMatchObject({ body: { kind: 'text', text: 'Main St 21' }, note: 'Edited' });
    expect(second).toMatchObject({ quote: { text: 'Main St 21' } });
    expect(others).toEqual([]);
    await render(
      [first!, second!].map((view) => <Message key={view.id} view={view} handlers={{}} />),
    );
    await expect.element(page.getByText('Edited', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Ada Main St 21' }).click();
    await expect.element(page.getByRole('article').first()).toHaveFocus();
  });

  test('replaces the caption of a file, which stays', () => {
    const photo = received(1, 'image', { media_id: '7', text: 'Size 38' });
    const caption = { type: 'image', image: { id: '8', caption: 'Size 39' } };
    const [view] = viewsOf([photo, received(3, 'edit', edit('wamid.1', caption))], thread);
    expect(view?.body).toMatchObject({ kind: 'media', media: { url: '/1' }, caption: 'Size 39' });
  });

  test('is a message of its own if the first one is not loaded', () => {
    const [view] = viewsOf([corrected], thread);
    expect(view).toMatchObject({
      body: { kind: 'text', text: 'Main St 21' },
      note: t('kinds.edit'),
    });
  });

  test('marks a message that was deleted', () => {
    const deleted = received(3, 'revoke', { revoke: { original_message_id: 'wamid.1' } });
    expect(viewsOf([text, deleted], thread)).toMatchObject([{ warning: t('deletedByPerson') }]);
    expect(viewsOf([deleted], thread)).toMatchObject([{ body: { words: t('kinds.revoke') } }]);
  });

  test('concerns only messages of the same side', () => {
    const ours = received(1, 'text', { text: 'We open at nine' }, 'out');
    expect(viewsOf([ours, corrected], thread)).toMatchObject([
      { body: { text: 'We open at nine' } },
      { body: { text: 'Main St 21' } },
    ]);
  });
});
