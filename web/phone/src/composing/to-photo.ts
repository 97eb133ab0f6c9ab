/** The types that the network has for photos and stickers. */
const sendable = ['image/jpeg', 'image/png', 'image/webp'];

/**
 * Converts an image of another type to JPEG, as the app does before it sends a photo. A file that is no image, or one
 * that the browser cannot draw, stays as it is.
 */
export async function toPhoto(file: File): Promise<File> {
  if (!file.type.startsWith('image/') || sendable.includes(file.type)) return file;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return file;
  const canvas = document.createElement('canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  return toJpeg(canvas, file.name.replace(/\.\w+$/, ''));
}

/** @param name of the file, without its extension */
export async function toJpeg(canvas: HTMLCanvasElement, name: string): Promise<File> {
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', 0.85),
  );
  return new File(blob ? [blob] : [], `${name}.jpg`, { type: 'image/jpeg' });
}
