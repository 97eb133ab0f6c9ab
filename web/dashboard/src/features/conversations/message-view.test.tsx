import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { conversations as t } from '../../../../texts/conversations.ts';
import { failed, unknownOutcome } from './message-view.examples.tsx';

test('a failed message says why, and more when it is opened', async () => {
  await render(failed);
  const details = page.getByText('No such account.');
  const isOpen = () => details.element().closest('details')?.open;
  expect(isOpen()).toBe(false);
  await page.getByText('The phone cannot receive this message').click();
  expect(isOpen()).toBe(true);
  await expect.element(details).toHaveTextContent(t('code', { code: '131026' }));
});

test('a message with an unknown outcome says so', async () => {
  await render(unknownOutcome);
  await expect.element(page.getByText(t('unknownWarning'))).toBeVisible();
});
