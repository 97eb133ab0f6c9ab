import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { findFaults } from '../../gallery/find-faults.ts';
import { FormDialog } from '../overlays/form-dialog.tsx';
import { Picker } from './picker.tsx';
import { PickerField } from './picker-field.tsx';

const teas = ['Any tea', 'Green', 'Thé vert', 'شاي أخضر', 'Black'].map((words, index) => ({
  value: index,
  words,
  ...(index > 2 && { group: 'New' }),
}));

function Teas({ before }: { before?: number }) {
  const [tea, setTea] = useState(before ?? 0);
  return (
    <main>
      <h1>Teas</h1>
      <Picker label="Tea" aria-label="Tea" choices={teas} value={tea} onChoose={setTea} />
    </main>
  );
}

const button = page.getByRole('combobox', { name: 'Tea' });
const list = page.getByRole('listbox');

test('a picker is opened, searched and left by keyboard, and the focus returns to it', async () => {
  await render(<Teas />);
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(list.getByRole('option')).toHaveLength(5);
  await userEvent.keyboard('the ver{Enter}');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(button).toHaveTextContent('Thé vert');
  await expect.element(button).toHaveFocus();

  await userEvent.keyboard('{ArrowDown}');
  const chosen = list.getByRole('option', { name: 'Thé vert' });
  await expect.element(chosen).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('nothing has this');
  await expect.element(page.getByText('No results')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveTextContent('Thé vert');
  await expect.element(button).toHaveFocus();
});

test('an open list has no accessibility fault, and shows each text in its own direction', async () => {
  for (const dir of ['ltr', 'rtl']) {
    document.documentElement.dir = dir;
    const { unmount } = await render(<Teas />);
    await button.click();
    await expect.element(list.getByRole('group', { name: 'New' })).toBeVisible();
    expect(await findFaults()).toEqual([]);
    const arabic = list.getByText('شاي أخضر').element();
    expect(getComputedStyle(arabic).direction).toBe('rtl');
    expect(getComputedStyle(list.getByText('Black').element()).direction).toBe('ltr');
    await unmount();
  }
});

test('in a dialog, a list is above it and Escape closes only the list', async () => {
  await render(
    <FormDialog title="New bot" submit="Save" onSubmit={() => {}} onClose={() => {}}>
      <PickerField label="Tea" choices={teas} value={0} onChoose={() => {}} />
    </FormDialog>,
  );
  await button.click();
  await expect.element(list.getByRole('option', { name: 'Black' })).toBeVisible();
  expect(await findFaults()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog', { name: 'New bot' })).toBeVisible();
});

test('a form that needs a choice is not submitted without one, and says so', async () => {
  let submitted = 0;
  function Form() {
    const [tea, setTea] = useState<number>();
    return (
      <FormDialog title="New bot" submit="Save" onSubmit={() => submitted++} onClose={() => {}}>
        <PickerField
          label="Tea"
          choices={[{ value: undefined, words: 'Choose', isDisabled: true }, ...teas]}
          value={tea}
          isMissing={tea === undefined}
          onChoose={setTea}
        />
      </FormDialog>
    );
  }
  await render(<Form />);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAccessibleDescription('Choose an option.');
  expect(submitted).toBe(0);

  await button.click();
  await list.getByRole('option', { name: 'Green' }).click();
  await expect.element(page.getByText('Choose an option.')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Save' }).click();
  expect(submitted).toBe(1);
});
