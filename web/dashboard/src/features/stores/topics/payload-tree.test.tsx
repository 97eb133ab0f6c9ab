import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { PayloadTree } from './payload-tree.tsx';

const order = {
  id: 7,
  line_items: [
    { name: 'Tea', taxes: [{ title: 'VAT' }] },
    { name: 'Pot', taxes: [] },
  ],
  meta_data: Array.from({ length: 400 }, (_, index) => ({ value: `value ${index}` })),
  shipping: { city: 'Köln' },
};

async function open(chosen: string[] = []) {
  const { container } = await render(
    <PayloadTree
      buyer={{ first_name: 'Ann' }}
      payload={JSON.stringify(order)}
      onChoose={(path) => chosen.push(path)}
    />,
  );
  await page.getByText('Payload: choose a value to use its path').click();
  return () =>
    [...container.querySelectorAll('li button')].map(({ children }) =>
      [...children].map(({ textContent }) => textContent),
    );
}

test('a list has the path of its last item, and one of all its items', async () => {
  const chosen: string[] = [];
  const shown = await open(chosen);
  const { height } = document.querySelector('li button')!.getBoundingClientRect();
  // Smaller ones are hard to press (WCAG 2.5.8).
  expect(height).toBeGreaterThanOrEqual(24);
  expect(shown().slice(0, 10)).toEqual([
    ['buyer.first_name', 'Ann'],
    ['id', '7'],
    ['line_items.*.name', 'Tea, Pot'],
    ['line_items.0.name', 'Tea'],
    ['line_items.*.taxes.*.title', 'VAT'],
    ['line_items.0.taxes.0.title', 'VAT'],
    ['line_items.1.name', 'Pot'],
    ['line_items.last.name', 'Pot'],
    ['meta_data.*.value', expect.stringMatching(/^value 0, value 1, /)],
    ['meta_data.0.value', 'value 0'],
  ]);
  await page.getByText('line_items.*.name').click();
  expect(chosen).toEqual(['line_items.*.name']);
});

test('a large payload says how many values are not shown, and they are found by a search', async () => {
  const shown = await open();
  expect(shown()).toHaveLength(300);
  await expect.element(page.getByText('111 more values. Search to find them.')).toBeVisible();
  await page.getByLabelText('Search values and paths').fill('köln');
  await expect.poll(shown).toEqual([['shipping.city', 'Köln']]);
  await page.getByLabelText('Search values and paths').fill('billing');
  await expect.element(page.getByText('No values match.')).toBeVisible();
});
