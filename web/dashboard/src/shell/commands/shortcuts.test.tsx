import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { findFaults } from '../../../../gallery/find-faults.ts';
import { commands } from './commands.ts';
import { Shortcuts } from './shortcuts.tsx';

const withKeys = commands.filter(({ keys }) => keys);

test('every key is in the list of shortcuts', async () => {
  await render(<Shortcuts commands={commands} onClose={() => {}} />);
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(sheet).toBeVisible();
  const listed = sheet
    .getByRole('term')
    .elements()
    .map(({ textContent }) => textContent);
  expect(listed.toSorted()).toEqual(withKeys.map(({ words }) => words).toSorted());
  expect(await findFaults()).toEqual([]);
});

test('no two commands have the same keys', () => {
  expect(new Set(withKeys.map(({ keys }) => keys)).size).toBe(withKeys.length);
});
