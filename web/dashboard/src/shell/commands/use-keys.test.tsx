import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { useKeys } from './use-keys.ts';

/** Presses keys, and returns the commands that they ran. */
async function press(...keys: KeyboardEventInit[]): Promise<string[]> {
  const done: string[] = [];
  function Page() {
    useKeys(({ id }) => Boolean(done.push(id)));
    return null;
  }
  const { unmount } = await render(<Page />);
  for (const key of keys)
    document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...key }));
  await unmount();
  return done;
}

test('on a keyboard without Latin letters, a key counts by its place', async () => {
  expect(await press({ key: 'л', code: 'KeyK', ctrlKey: true })).toEqual(['palette']);
  expect(await press({ key: 'п', code: 'KeyG' }, { key: 'д', code: 'KeyL' })).toEqual(['labels']);
  expect(await press({ key: 'ξ', code: 'KeyJ' })).toEqual(['next-conversation']);
});

test('a Latin letter counts wherever it is, and once', async () => {
  expect(await press({ key: 'k', code: 'KeyK', ctrlKey: true })).toEqual(['palette']);
  // On a Dvorak keyboard.
  expect(await press({ key: 'j', code: 'KeyC' })).toEqual(['next-conversation']);
  expect(await press({ key: 'h', code: 'KeyJ' })).toEqual([]);
  // On a Bépo keyboard.
  expect(await press({ key: 'é', code: 'KeyR' })).toEqual([]);
});
