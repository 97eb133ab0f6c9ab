import { expect, inject, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ExampleList } from './example-list.tsx';
import { exampleFiles } from './examples.ts';
import { findFaults } from './find-faults.ts';

const widths = { wide: 1000, narrow: 390 };
const looks = (['wide', 'narrow'] as const).flatMap((width) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['ltr', 'rtl'] as const).map((dir) => ({ width, theme, dir })),
  ),
);
/** The looks of which pictures are compared: between them they have each theme, and each direction. */
const pictured = ['narrow light ltr', 'narrow dark rtl'];

/** Whether a file shows parts or messages. Of features, pictures would change with every text. */
const isShared = (name: string) => /^(parts|message)\//.test(name);

test('there are examples of parts and messages', () => {
  expect(exampleFiles.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['parts/button', 'message/message']),
  );
});

test.each(exampleFiles)(
  '$name has no accessibility fault, fits, and looks as before',
  async (file) => {
    await render(
      <main className="bg-page p-3">
        <h1 className="sr-only">Examples</h1>
        <ExampleList {...file} />
      </main>,
    );
    for (const { width, theme, dir } of looks) {
      await page.viewport(widths[width], 900);
      Object.assign(document.documentElement, { dir });
      document.documentElement.dataset.theme = theme;
      const look = `${width} ${theme} ${dir}`;
      expect.soft(await findFaults(), look).toEqual([]);
      if (inject('hasPackagedBrowser') && isShared(file.name) && pictured.includes(look)) {
        // The browser draws nothing below the window.
        await page.viewport(widths[width], document.documentElement.scrollHeight);
        const name = `${file.name} ${look}`.replace(/\W+/g, '-');
        await expect.soft(page.getByRole('main')).toMatchScreenshot(name);
      }
    }
  },
);
