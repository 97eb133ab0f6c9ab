import { isSupportedCountry } from 'libphonenumber-js/max';
import { invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';

/**
 * Reads the country of a store: two letters (ISO 3166), in either case.
 *
 * @throws ApiError 422 on `country`
 */
export function readCountry(text: string): string {
  const country = text.toUpperCase();
  // UK, EL and the like look right, but the phone library does not know them.
  if (isSupportedCountry(country)) return country;
  throw invalid({
    country: [
      fault('not_a_country', 'must be a country code of two letters (ISO 3166), such as GB or DE'),
    ],
  });
}
