import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ResultStatus } from './result-status.tsx';

test('results are announced when they come, and not how they change later', async () => {
  const results = (filter: object, count: number, isPlaceholderData = false) => (
    <ResultStatus
      query={{ data: [], isPlaceholderData, hasNextPage: count === 50 }}
      filter={filter}
      count={count}
    />
  );
  const { rerender } = await render(results({}, 7));
  const status = page.getByRole('status');
  await expect.element(status).toBeEmptyDOMElement();

  await rerender(results({ q: 'a' }, 7, true));
  await expect.element(status).toBeEmptyDOMElement();
  await rerender(results({ q: 'a' }, 50));
  await expect.element(status).toHaveTextContent('50 results, and there are more');
  await rerender(results({ q: 'a' }, 51));
  await expect.element(status).toHaveTextContent('50 results, and there are more');

  await rerender(results({ q: 'ada' }, 1));
  await expect.element(status).toHaveTextContent('1 result');
  await rerender(results({ q: 'adam' }, 1, true));
  await expect.element(status).toBeEmptyDOMElement();
  await rerender(results({ q: 'adam' }, 0));
  await expect.element(status).toHaveTextContent('No results');
});
