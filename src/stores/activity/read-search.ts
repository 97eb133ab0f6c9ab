import { readPhone } from '../processing/find-phone.ts';
import type { EventSearch } from './event-queries.ts';

/**
 * Reads the number of an order, with or without `#`, or the phone of a buyer; undefined for an empty text.
 *
 * @param country the store's country, for a phone without a country code
 */
export function readSearch(
  text: string | undefined,
  country: string | null,
): EventSearch | undefined {
  const number = text?.trim().replace(/^#/, '');
  if (!number) return undefined;
  return { numbers: [number, `#${number}`], phone: readPhone(number, country ?? undefined) };
}
