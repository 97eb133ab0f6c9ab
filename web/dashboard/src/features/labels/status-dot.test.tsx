import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { black, rightToLeft, white } from './status-dot.examples.tsx';

test('a status in the colour of the background has a visible border', async () => {
  for (const theme of ['light', 'dark']) {
    document.documentElement.dataset.theme = theme;
    const { container, unmount } = await render(
      <>
        {black}
        {white}
      </>,
    );
    const dots = [...container.querySelectorAll('[style*=background]')];
    expect(dots).toHaveLength(2);
    for (const dot of dots) expect(getComputedStyle(dot).boxShadow, theme).toContain('inset');
    await unmount();
  }
});

test('an Arabic name is read from the right', async () => {
  const { container } = await render(rightToLeft);
  expect(container.querySelector('.truncate:dir(rtl)')?.textContent).toBe('مجموعة (5)!');
});
