import { expect, test } from 'vitest';
import { faultOf } from './check-file.ts';
import { shrinkPhotos } from './shrink-photos.ts';

/** A photo that does not compress, so that it has three bytes for each pixel. */
async function noise(width: number, height: number): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  const picture = context.createImageData(width, height);
  let state = 1;
  const pixels = new Uint32Array(picture.data.buffer);
  for (let each = 0; each < pixels.length; each++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    pixels[each] = state | 0xff_00_00_00;
  }
  context.putImageData(picture, 0, 0);
  return new File([await canvas.convertToBlob()], 'IMG_0001.png', { type: 'image/png' });
}

test('a photo that is too large for WhatsApp is made smaller, and other files stay as they are', async () => {
  const large = await noise(2_800, 700);
  expect(faultOf(large)).toContain('WhatsApp takes photos up to 5 MB');
  const small = new File(['small'], 'small.png', { type: 'image/png' });
  const broken = new File([new Uint8Array(6 * 1024 * 1024)], 'broken.jpg', { type: 'image/jpeg' });
  const [shrunk, ...others] = await shrinkPhotos([large, small, broken]);
  expect(others).toEqual([small, broken]);
  expect(shrunk!.name).toBe('IMG_0001.jpg');
  expect(shrunk!.type).toBe('image/jpeg');
  expect(faultOf(shrunk!)).toBeUndefined();
  const { width, height } = await createImageBitmap(shrunk!);
  expect([width, height]).toEqual([2_560, 640]);
});
