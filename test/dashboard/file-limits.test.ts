import { expect, test } from 'vitest';
import { mediaLimits } from '../../src/media/media-kinds.ts';
import { faultOf } from '../../web/dashboard/src/features/media/check-file.ts';
import { fileLimits, kindOf, typeOf } from '../../web/dashboard/src/features/media/file-limits.ts';

test('the dashboard refuses before an upload what the service refuses', () => {
  expect(fileLimits).toEqual(mediaLimits);
});

test('a file is sent as what WhatsApp takes its type as, also if the system gives it none', () => {
  const kinds = [
    { name: 'a.png', type: 'image/png' },
    { name: 'Report.DOCX', type: '' },
    { name: 'voice.m4a', type: 'audio/x-m4a' },
    { name: 'a.webp', type: 'image/webp' },
    { name: 'nothing', type: '' },
  ].map((file) => [kindOf(file), typeOf(file)]);
  expect(kinds).toEqual([
    ['image', 'image/png'],
    ['document', fileLimits.document.types[5]],
    ['audio', 'audio/mp4'],
    [undefined, 'image/webp'],
    [undefined, ''],
  ]);
});

test('a file that is too long, empty or of another kind is refused in plain words', () => {
  const photo = { name: 'a.png', type: 'image/png', size: 5 * 1024 * 1024 };
  expect(faultOf(photo)).toBeUndefined();
  expect(faultOf({ ...photo, size: photo.size + 1 })).toBe(
    'This photo has 5.1 MB. WhatsApp takes photos up to 5 MB.',
  );
  expect(faultOf({ ...photo, size: 0 })).toBe('This file is empty.');
  expect(faultOf({ ...photo, type: 'image/webp', name: 'a.webp' })).toMatch(
    /^WhatsApp doesn’t take/,
  );
  expect(faultOf(photo, 'document')).toMatch(/^Choose a PDF/);
});
