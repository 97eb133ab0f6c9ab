import type { NumberRow } from './queries.ts';

/** The name of a number in a sentence: its phone if that is known, otherwise its id. */
export function nameOf(
  number: Pick<NumberRow, 'display_phone_number' | 'phone_number_id'>,
): string {
  return number.display_phone_number ?? number.phone_number_id;
}
