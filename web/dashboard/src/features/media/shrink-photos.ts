import { faultOf } from './check-file.ts';
import { kindOf } from './file-limits.ts';

/** The longer side of a photo that was made smaller, in pixels: more than any phone shows. */
const maxSide = 2_560;
const quality = 0.85;

/**
 * Makes photos smaller that are larger than WhatsApp accepts, as most of a phone's camera are. Files that are no photos,
 * or that the browser cannot read, stay as they are.
 */
export async function shrinkPhotos(files: File[]): Promise<File[]> {
  const shrunk: File[] = [];
  // One after the other: a photo takes 50 MB of memory.
  for (const file of files) {
    const isTooLarge = kindOf(file) === 'image' && faultOf(file) !== undefined;
    shrunk.push(isTooLarge ? await shrink(file).catch(() => file) : file);
  }
  return shrunk;
}

async function shrink(file: File): Promise<File> {
  const photo = await createImageBitmap(file);
  const scale = Math.min(1, maxSide / Math.max(photo.width, photo.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(photo.width * scale);
  canvas.height = Math.round(photo.height * scale);
  const context = canvas.getContext('2d')!;
  // A JPEG has no transparency, which would be black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(photo, 0, 0, canvas.width, canvas.height);
  photo.close();
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', quality),
  );
  if (!blob) return file;
  return new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: blob.type });
}
