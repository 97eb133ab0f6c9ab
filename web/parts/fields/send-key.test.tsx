import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { isSendKey } from './send-key.ts';

test('Enter sends, but not with Shift, and not while an input method composes', async () => {
  const sent: string[] = [];
  await render(
    <textarea
      aria-label="Message"
      onKeyDown={(event) => {
        if (isSendKey(event)) sent.push(event.currentTarget.value);
      }}
    />,
  );
  const field = page.getByRole('textbox').element();
  const press = (init: KeyboardEventInit) =>
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...init }));
  press({ shiftKey: true });
  press({ isComposing: true });
  // As Safari reports the key that ends a composition.
  press({ keyCode: 229 });
  expect(sent).toEqual([]);
  press({ keyCode: 13 });
  expect(sent).toEqual(['']);
});
