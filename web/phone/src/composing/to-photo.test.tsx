import { expect, test } from 'vitest';
import { toPhoto } from './to-photo.ts';

/** A red GIF of one pixel. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs='), (character) =>
  character.charCodeAt(0),
);

test('an image that WhatsApp has no photos of becomes a JPEG', async () => {
  const photo = await toPhoto(new File([gif], 'red.dot.gif', { type: 'image/gif' }));
  expect([photo.name, photo.type]).toEqual(['red.dot.jpg', 'image/jpeg']);
  expect(await createImageBitmap(photo)).toMatchObject({ width: 1, height: 1 });
});

test.each([
  ['a photo', 'image/png'],
  ['a file', 'application/pdf'],
  ['an image that the browser cannot draw', 'image/heic'],
])('%s stays as it is', async (_name, type) => {
  const file = new File(['not really'], 'a', { type });
  expect(await toPhoto(file)).toBe(file);
});
