import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { PickerButton } from '../fields/picker.tsx';
import { Button, IconButton } from './button.tsx';

const focus = (name: string) =>
  (page.getByRole('button', { name }).element() as HTMLElement).focus();

test('a busy or disabled button keeps the focus, and does nothing', async () => {
  let saved = 0;
  function Form() {
    const [state, setState] = useState<'busy' | 'disabled'>();
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saved++;
          setState('busy');
        }}
      >
        <input aria-label="Name" onChange={() => setState('disabled')} />
        <Button type="submit" busy={state === 'busy'} disabled={state === 'disabled'}>
          Save
        </Button>
      </form>
    );
  }
  await render(<Form />);
  const save = page.getByRole('button', { name: 'Save' });
  focus('Save');
  await userEvent.keyboard('{Enter}{Enter} ');
  await expect.element(save).toHaveFocus();
  await expect.element(save).toHaveAttribute('aria-busy', 'true');
  expect(saved).toBe(1);

  await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  expect(saved).toBe(1);
});

test('the list of a busy button does not open', async () => {
  const choices = [{ value: 1, words: 'Lead' }];
  await render(
    <PickerButton label="Set status" choices={choices} busy onChoose={() => {}}>
      Set status
    </PickerButton>,
  );
  focus('Set status');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button')).toHaveAttribute('aria-expanded', 'false');
});

test('a focused button that disappears gives the focus to what is around it', async () => {
  function List() {
    const [more, setMore] = useState(2);
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: like a list that scrolls
      <section aria-label="Contacts" tabIndex={0}>
        {more > 1 && <Button onClick={() => setMore(1)}>Show more</Button>}
        {more > 0 && <IconButton label="Clear" onClick={() => setMore(0)} />}
      </section>
    );
  }
  await render(<List />);
  for (const name of ['Show more', 'Clear']) {
    focus(name);
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('button', { name })).not.toBeInTheDocument();
    await expect.element(page.getByRole('region', { name: 'Contacts' })).toHaveFocus();
  }
});
