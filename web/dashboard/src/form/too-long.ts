import { common } from '../../../texts/common.ts';

/**
 * Returns what is wrong with a text that is longer than the service accepts, and undefined otherwise. A `maxLength` would
 * cut what is pasted, which then would go to a customer without its end.
 */
export function tooLong(text: string, max: number): string | undefined {
  // As the service counts: an emoji is one character.
  const length = [...text].length;
  return length > max ? common('tooLong', { length, max }) : undefined;
}
