import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { MessageView } from '../message-view.ts';
import { MessageList } from './message-list.tsx';

test('the heading of today becomes that of yesterday at midnight', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(new Date(2026, 10, 25, 23, 59));
  const at = new Date().toISOString();
  const view: MessageView = {
    id: '1',
    at,
    isMine: true,
    body: { kind: 'text', text: 'Hello' },
    actions: [],
    reactions: [],
  };
  await render(<MessageList views={[view]} />);
  await expect.element(page.getByText('Today')).toBeVisible();
  vi.advanceTimersByTime(120_000);
  await expect.element(page.getByText('Yesterday')).toBeVisible();
});
