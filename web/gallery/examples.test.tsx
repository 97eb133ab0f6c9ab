import { expect, inject, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ToastArea } from '../parts/overlays/toast-area.tsx';
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
    expect.arrayContaining(['parts/buttons/button', 'message/message']),
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
    // Another test may have left the pointer where a button is now.
    await page.elementLocator(document.documentElement).hover({ position: { x: 0, y: 0 } });
    await checkLooks(file.name, () => page.getByRole('main'));
  },
);

const overlays = exampleFiles.find(({ name }) => name === 'parts/overlays/overlays')!;

test.each(
  overlays.examples.flatMap((example) =>
    (['ltr', 'rtl'] as const).map((dir) => ({ example, dir })),
  ),
)(
  'opened, $example.name has no accessibility fault, fits, and looks as before, $dir',
  async ({ example, dir }) => {
    // They are placed when they open.
    document.documentElement.dir = dir;
    await render(
      <>
        <main className="min-h-[30rem] bg-page p-3" id="content" tabIndex={-1}>
          <h1 className="sr-only">Examples</h1>
          {example.element}
        </main>
        <ToastArea />
      </>,
    );
    const button = page.getByRole('button').first();
    await button.hover();
    await button.click();
    const opened = () =>
      document.querySelector('[role$=dialog], [role=menu], [role=tooltip], .toast');
    await expect.poll(opened).toBeTruthy();
    // Otherwise it disappears after some seconds.
    document.querySelector<HTMLElement>('.toast button')?.focus();
    await checkLooks(`${overlays.name} ${example.name}`, () => page.elementLocator(document.body), [
      dir,
    ]);
    expect(opened()).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await expect.poll(opened).toBeNull();
  },
);

/** Checks what is shown in all looks, and compares it with pictures of some of them. */
async function checkLooks(
  what: string,
  part: () => Locator,
  directions: readonly ('ltr' | 'rtl')[] = ['ltr', 'rtl'],
): Promise<void> {
  for (const { width, theme, dir } of looks.filter((each) => directions.includes(each.dir))) {
    await page.viewport(widths[width], 900);
    Object.assign(document.documentElement, { dir });
    document.documentElement.dataset.theme = theme;
    // The browser of these tests asks for no motion.
    expect
      .soft(document.getAnimations().filter((each) => each instanceof CSSTransition))
      .toEqual([]);
    const look = `${width} ${theme} ${dir}`;
    expect.soft(await findFaults(), look).toEqual([]);
    if (inject('hasPackagedBrowser') && isShared(what) && pictured.includes(look)) {
      // The browser draws nothing below the window.
      await page.viewport(widths[width], document.documentElement.scrollHeight);
      const name = `${what} ${look}`.replace(/\W+/g, '-');
      await expect.soft(part()).toMatchScreenshot(name);
    }
  }
}
