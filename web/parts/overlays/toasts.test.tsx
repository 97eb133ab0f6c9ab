import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { findFaults } from '../../gallery/find-faults.ts';
import { Problem } from '../behaviour/problem.ts';
import { Dialog } from './dialog.tsx';
import { MenuButton } from './menu-button.tsx';
import { ToastArea } from './toast-area.tsx';
import { currentToasts, dismiss, showDone, showProblem } from './toasts.ts';

const refused = new Problem(409, 'The phone is taken.');
const text = page.getByText(refused.message);

beforeEach(() => {
  for (const { id } of currentToasts()) dismiss(id);
});
afterEach(() => {
  vi.useRealTimers();
});

function Page() {
  return (
    <main>
      <h1>Contacts</h1>
      <input aria-label="Name" />
      <ToastArea />
    </main>
  );
}

/** Lets more time pass than any toast is shown. */
const waitLong = () => vi.advanceTimersByTimeAsync(60_000);

test('a problem disappears in time, but not while the pointer or the focus is on it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  await render(<Page />);
  showProblem(refused);
  await expect.element(page.getByRole('alert')).toHaveTextContent(refused.message);
  await text.hover();
  await waitLong();
  await expect.element(text).toBeVisible();

  await userEvent.keyboard('{F8}');
  await userEvent.unhover(text);
  await waitLong();
  await expect.element(text).toBeVisible();

  (page.getByLabelText('Name').element() as HTMLElement).focus();
  await waitLong();
  await expect.element(text).not.toBeInTheDocument();
});

test('Tab leads from F8 to the button that removes a toast', async () => {
  await render(<Page />);
  showProblem(refused);
  await expect.element(text).toBeVisible();
  await userEvent.keyboard('{F8}{Tab}{Tab}');
  await expect.element(page.getByRole('button', { name: 'Dismiss' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(text).not.toBeInTheDocument();
});

test('Escape in a toast removes it, and does nothing else', async () => {
  await render(<Page />);
  showProblem(refused);
  await expect.element(text).toBeVisible();
  await userEvent.keyboard('{F8}{Tab}{Tab}');
  const pressed = new Promise<KeyboardEvent>((resolve) =>
    window.addEventListener('keydown', resolve, { once: true }),
  );
  await userEvent.keyboard('{Escape}');
  expect((await pressed).defaultPrevented).toBe(true);
  await expect.element(text).not.toBeInTheDocument();
});

test('a toast can take back what was done', async () => {
  let undone = 0;
  await render(<Page />);
  showDone('The conversation is closed.', { words: 'Undo', run: () => undone++ });
  await expect.element(page.getByText('The conversation is closed.')).toBeVisible();
  expect(await findFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(undone).toBe(1);
  await expect.element(page.getByText('The conversation is closed.')).not.toBeInTheDocument();
});

test('a toast is swiped away to the end of the line', async () => {
  for (const [dir, by] of [
    ['ltr', 150],
    ['rtl', -150],
  ] as const) {
    document.documentElement.dir = dir;
    const { unmount } = await render(<Page />);
    showProblem(refused);
    await expect.element(text).toBeVisible();
    const toast = text.element().closest('li')!;
    const { x, y } = text.element().getBoundingClientRect();
    const point = (type: string, moved: number) =>
      text.element().dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          pointerId: 1,
          button: 0,
          clientX: x + 50 + moved,
          clientY: y + 5,
        }),
      );
    toast.setPointerCapture = () => {};
    (text.element() as HTMLElement).setPointerCapture = () => {};
    point('pointerdown', 0);
    point('pointermove', by / 3);
    point('pointermove', by);
    point('pointerup', by);
    await expect.element(text).not.toBeInTheDocument();
    await unmount();
  }
});

test('a toast above a dialog is read out, and removed without closing the dialog', async () => {
  await render(
    <>
      <Dialog title="New contact" open onClose={() => {}}>
        <input aria-label="Phone" />
      </Dialog>
      <ToastArea />
    </>,
  );
  showProblem(refused);
  await expect.element(page.getByRole('alert')).toHaveTextContent(refused.message);
  expect(await findFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(text).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog', { name: 'New contact' })).toBeVisible();
});

test('a button whose code does not arrive says so at each press', async () => {
  const button = (
    <MenuButton load={() => Promise.reject(new Error('lost'))} menu={() => null}>
      {(props) => <button {...props}>Menu</button>}
    </MenuButton>
  );
  const { rerender } = await render(button);
  for (const presses of [1, 2]) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect.poll(() => currentToasts().length).toBe(presses);
    // Otherwise the next press might come before the button is drawn again.
    await rerender(button);
  }
});
