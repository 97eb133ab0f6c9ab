import { files as t } from '../../../../texts/files.ts';
import { type FileKind, fileLimits, kindOf, megabyte } from './file-limits.ts';

/**
 * Says why WhatsApp would not take a file; undefined if it would.
 *
 * @param wanted the kind that it has to be; without it, any
 */
export function faultOf(
  file: Pick<File, 'name' | 'type' | 'size'>,
  wanted?: FileKind,
): string | undefined {
  const kind = kindOf(file);
  if (wanted && kind !== wanted) return t('wrongKind', { kind: wanted });
  if (!kind) return t('notTaken');
  if (file.size === 0) return t('empty');
  const max = fileLimits[kind].megabytes;
  // Rounded up, so that it never says that a file of 5.0 MB is longer than 5 MB.
  const megabytes = Math.ceil((file.size / megabyte) * 10) / 10;
  return file.size > max * megabyte ? t('tooLong', { kind, megabytes, max }) : undefined;
}
