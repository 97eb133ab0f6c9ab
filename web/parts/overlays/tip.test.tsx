import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { findFaults } from '../../gallery/find-faults.ts';
import { Bubble } from '../../message/bubble.tsx';
import { Ago } from '../page/ago.tsx';

const sent = {
  id: '1',
  at: '2026-11-25T10:04:00Z',
  isMine: true,
  body: { kind: 'text', text: 'Good morning' },
  actions: [],
  reactions: [],
  tick: { step: 'read', words: 'Read' },
  timeline: 'Sent 25 Nov 2026, 10:04\nRead 25 Nov 2026, 10:06',
} as const;

const tip = page.getByRole('tooltip');

/** Until the code of tips is loaded, nothing opens. */
const isReady = () => expect.poll(() => document.querySelector('[data-state=closed]')).toBeTruthy();

test('the exact time of an event is shown while the pointer is on it', async () => {
  await render(
    <main>
      <h1>Events</h1>
      <Ago at="2026-11-25T10:04:00Z" />
    </main>,
  );
  await isReady();
  await page.getByRole('time').hover();
  await expect.element(tip).toHaveTextContent('25 Nov 2026, 10:04:00');
  expect(await findFaults()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(tip).not.toBeInTheDocument();
});

test('the steps of a message are shown by keyboard and by touch too', async () => {
  await render(
    <main>
      <h1>Conversation</h1>
      <Bubble view={{ ...sent, actions: [], reactions: [] }} />
    </main>,
  );
  await isReady();
  const time = page.getByRole('button', { name: '10:04 Read' });
  await userEvent.tab();
  await expect.element(time).toHaveFocus();
  await expect.element(tip).toHaveTextContent('Sent 25 Nov 2026, 10:04 Read 25 Nov 2026, 10:06');
  await expect
    .element(time)
    .toHaveAccessibleDescription('Sent 25 Nov 2026, 10:04 Read 25 Nov 2026, 10:06');
  await userEvent.keyboard('{Escape}');
  await expect.element(tip).not.toBeInTheDocument();

  (time.element() as HTMLElement).blur();
  const touch = { bubbles: true, pointerType: 'touch' };
  time.element().dispatchEvent(new PointerEvent('pointerdown', touch));
  (time.element() as HTMLElement).click();
  await expect.element(tip).toHaveTextContent('Sent 25 Nov 2026, 10:04 Read 25 Nov 2026, 10:06');
});
