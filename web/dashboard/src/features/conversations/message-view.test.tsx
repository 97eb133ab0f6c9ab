import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { conversations as t } from '../../../../texts/conversations.ts';
import { failed, unknownOutcome } from './message-view.examples.tsx';

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
