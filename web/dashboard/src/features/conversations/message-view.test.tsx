import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Message } from '../../../../message/message.tsx';
import { conversations as t } from '../../../../texts/conversations.ts';
import { failed, unknownOutcome } from './message-view.examples.tsx';
import { viewOf } from './message-view.ts';

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

test('a message that staff sent in the phone app says so, with its number if there are several', async () => {
  const at = '2026-11-25T10:04:00.000Z';
  const message = {
    id: 1,
    number_id: 2,
    cause: 'app',
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
  const thread = { mediaAddress: () => '', numberName: (id: number) => `Shop ${id}` };
  await render(<Message view={viewOf(message, thread)} handlers={{}} />);
  await expect.element(page.getByText(`Shop 2 · ${t('fromApp')}`)).toBeVisible();
  expect(viewOf({ ...message, cause: 'bot' }, thread).note).toBe('Shop 2');
  expect(viewOf(message, { mediaAddress: () => '' }).note).toBe('from the phone app');
});
